package dev.ringside.gps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Kills the store's process with SIGKILL during a stream and restarts it. Its clients send
 * unacknowledged points again and continue. Every trip must have its exact result, including trips
 * that were acknowledged before. If the settings guarantee less, the store must report the loss.
 */
@Timeout(240)
class CrashTest {
  private static final int LIVES = 2;
  private static final int CLIENTS = 3;
  private static final int IN_FLIGHT = 60;
  private static final int POINTS_PER_LIFE = 12_000;
  private static final int NEVER_ENDING = 1_000_000;
  private static final TripSizes SIZES = new TripSizes(5, 25, 1_000);
  @TempDir Path folder;
  private final List<ResumingClient> clients = new ArrayList<>();
  private Process process;
  private int port;

  @AfterEach
  void end() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @ParameterizedTest
  @CsvSource({
    "rocksdb, always", "rocksdb, interval", "rocksdb, never",
    "lmdb, always", "lmdb, interval", "lmdb, never"
  })
  void shouldBuildEveryTripThoughItWasKilled(String server, String sync) throws Exception {
    makeClients();
    for (int life = 0; life < LIVES; life++) {
      start(server, sync, true);
      // LMDB syncs once per point.
      boolean slow = server.equals("lmdb") && sync.equals("always");
      streamUntilKilled(slow ? POINTS_PER_LIFE / 10 : POINTS_PER_LIFE);
    }
    start(server, sync, true);
    for (ResumingClient client : clients) {
      assertTrue(
          client.stream(ForkedStore.HOST, port, 10, points -> {}),
          "all is acknowledged in the end");
      assertEquals(0, client.gaps(), "no acknowledged point is lost");
      assertFalse(client.right().isEmpty());
      assertEquals(client.right(), client.cameOut());
      client.askAgain(ForkedStore.HOST, port);
      assertEquals(client.right(), client.cameOut(), "nor a trip that had come out");
      assertEquals(0, client.gaps());
    }
  }

  /** Points that were only in memory are lost, and the store does not report them as present. */
  @ParameterizedTest
  @CsvSource({"heap, never, true", "rocksdb, never, false"})
  void shouldTellWhatItHasLostWhereNothingElseWasPromised(String server, String sync, boolean wal)
      throws Exception {
    makeClients();
    start(server, sync, wal);
    streamUntilKilled(POINTS_PER_LIFE / 10);
    start(server, sync, wal);
    long gaps = 0;
    for (ResumingClient client : clients) {
      assertTrue(client.stream(ForkedStore.HOST, port, 10, points -> {}));
      gaps += client.gaps();
    }
    assertTrue(gaps > 0, "points of trips whose beginnings are lost");
  }

  private void makeClients() {
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new ResumingClient(new Trips(SIZES, IN_FLIGHT, i, (long) i << 40)));
    }
  }

  private void start(String server, String sync, boolean wal)
      throws IOException, InterruptedException {
    port = FreePorts.next();
    Map<String, String> settings =
        Map.of(
            "RINGSIDE_SYNC",
            sync,
            "RINGSIDE_SYNC_MS",
            "20",
            "RINGSIDE_WAL",
            Boolean.toString(wal),
            "RINGSIDE_MEMTABLE_MIB",
            wal ? "1" : "64"); // flushes several times, or never
    process = ForkedStore.start(folder, server, port, settings);
    assertTrue(ForkedStore.serves(process), "it ended before it served");
  }

  /** Streams until the store has ended, which is killed after a number of acknowledged points. */
  private void streamUntilKilled(int points) throws InterruptedException {
    AtomicInteger acknowledged = new AtomicInteger();
    AtomicBoolean unharmed = new AtomicBoolean();
    IntConsumer told =
        more -> {
          if (acknowledged.addAndGet(more) >= points) {
            process.destroyForcibly();
          }
        };
    List<Thread> threads = new ArrayList<>();
    for (ResumingClient client : clients) {
      threads.add(
          new Thread(
              () -> {
                if (client.stream(ForkedStore.HOST, port, NEVER_ENDING, told)) {
                  unharmed.set(true);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join(TimeUnit.SECONDS.toMillis(100));
      assertFalse(thread.isAlive());
    }
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertFalse(unharmed.get());
    assertTrue(acknowledged.get() >= points);
  }
}
