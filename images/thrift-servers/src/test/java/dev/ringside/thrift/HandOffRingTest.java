package dev.ringside.thrift;

final class HandOffRingTest extends HandOffContract {
  @Override
  <T> HandOff<T> handOff(int size) {
    return new HandOffRing<>(size);
  }
}
