package dev.ringside.thrift;

final class JcToolsHandOffTest extends HandOffContract {
  @Override
  <T> HandOff<T> handOff(int size) {
    return new JcToolsHandOff<>(size);
  }
}
