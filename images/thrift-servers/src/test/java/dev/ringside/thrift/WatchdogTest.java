package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.loop.Alarm;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class WatchdogTest {
  private static final int CALLS = 64;

  @Test
  void shouldSleepOnWhileRequestsAreHandedOffOneByOne() throws Exception {
    try (RunningServer server =
            new RunningServer(
                new TestService().on("block", WatchdogTest::block),
                args -> args.linger(0, TimeUnit.MILLISECONDS));
        Client client = server.connect()) {
      Alarm watchdog = server.server.core().alarm;
      while (server.handedOff() < CALLS) {
        client.call("block", Bytes.of("known"));
      }
      long handedOff = server.handedOff();
      long sleeps = watchdog.sleeps();
      long began = System.nanoTime();
      for (int i = 0; i < CALLS; i++) {
        RunningServer.await("the watchdog sleeps", watchdog::isAsleep);
        client.call("block", Bytes.of("handed off"));
      }
      assertEquals(CALLS, server.handedOff() - handedOff);
      long woken = watchdog.sleeps() - sleeps;
      long periods = (System.nanoTime() - began) / TimeUnit.MILLISECONDS.toNanos(100);
      assertTrue(woken <= periods + 1, woken + " times woken");
    }
  }

  @Test
  void shouldEndWithItsServerThoughItPollsSeldom() throws Exception {
    String name = "seldom";
    try (RunningServer server =
            new RunningServer(
                new TestService(), args -> args.name(name).blockedAfter(1, TimeUnit.HOURS));
        Client client = server.connectAndCall("echo")) {
      assertEquals(1, threads(name + "-watchdog"));
    }
    RunningServer.await("the watchdog has ended", () -> threads(name + "-watchdog") == 0);
  }

  private static long threads(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(name))
        .count();
  }

  private static byte[] block(byte[] argument) throws InterruptedException {
    Thread.sleep(2);
    return argument;
  }
}
