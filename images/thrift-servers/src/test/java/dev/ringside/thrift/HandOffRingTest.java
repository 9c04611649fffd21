package dev.ringside.thrift;

import dev.ringside.thrift.internal.work.HandOff;
import dev.ringside.thrift.internal.work.HandOffRing;

final class HandOffRingTest extends HandOffContract {
  @Override
  public <T> HandOff<T> handOff(int size) {
    return new HandOffRing<>(size);
  }
}
