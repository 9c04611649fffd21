package dev.ringside.contract.profile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.locks.LockSupport;

/** A process with a profile port and threads that each do one thing. */
final class ProfiledStore {
  private static final Object LOCK = new Object();
  private static volatile Object kept;
  private static volatile long sum;

  private ProfiledStore() {}

  /**
   * Prints the port and runs until its input ends, for example because the test's process ended.
   */
  public static void main(String[] args) throws IOException {
    daemon("burner-7", ProfiledStore::burnCpu);
    daemon("allocator-1", ProfiledStore::allocate);
    daemon("waiter-1", ProfiledStore::waitForLock);
    daemon("waiter-2", ProfiledStore::waitForLock);
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (ProfilePort port = new ProfilePort(address, System.err::println)) {
      System.out.println(port.port());
      while (System.in.read() >= 0) {
        // ignore the input
      }
    }
  }

  private static void daemon(String name, Runnable task) {
    Thread thread =
        new Thread(
            () -> {
              while (true) {
                task.run();
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
  }

  private static void burnCpu() {
    long x = sum;
    for (int i = 0; i < 1_000_000; i++) {
      x = 31 * x + i;
    }
    sum = x;
  }

  private static void allocate() {
    kept = new byte[16 << 10];
    LockSupport.parkNanos(100_000);
  }

  private static void waitForLock() {
    synchronized (LOCK) {
      LockSupport.parkNanos(2_000_000);
    }
    // Without a pause this thread would take the lock again before the other one is awake, and the
    // other's wait would never end.
    LockSupport.parkNanos(1_000_000);
  }
}
