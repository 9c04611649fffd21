package dev.ringside.thrift;

import dev.ringside.thrift.internal.work.HandOff;

final class TransferQueueHandOffTest extends HandOffContract {
  @Override
  public <T> HandOff<T> handOff(int size) {
    return new TransferQueueHandOff<>(size);
  }
}
