package dev.ringside.thrift;

final class TransferQueueHandOffTest extends HandOffContract {
  @Override
  <T> HandOff<T> handOff(int size) {
    return new TransferQueueHandOff<>(size);
  }
}
