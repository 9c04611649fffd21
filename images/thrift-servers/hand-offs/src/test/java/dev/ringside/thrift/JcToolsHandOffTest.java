package dev.ringside.thrift;

import dev.ringside.thrift.internal.work.HandOff;

final class JcToolsHandOffTest extends HandOffContract {
  @Override
  public <T> HandOff<T> handOff(int size) {
    return new JcToolsHandOff<>(size);
  }
}
