package dev.ringside.gps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.load.LoadFixture;
import dev.ringside.load.LoadProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs a load that kills the store, while the test restarts it as the kubelet does. */
@Timeout(240)
class RecoveryLoadTest {
  /** Exit value that Java reports for a process killed with SIGKILL. */
  private static final int KILLED = 137;

  @TempDir Path folder;
  private final AtomicInteger killed = new AtomicInteger();
  private int port;
  private int killPort;
  private Thread kubelet;
  private volatile Process process;
  private volatile boolean over;

  @BeforeEach
  void choosePorts() throws IOException {
    port = FreePorts.next();
    killPort = FreePorts.next();
  }

  @AfterEach
  void end() throws InterruptedException {
    over = true;
    if (process != null) {
      process.destroyForcibly().waitFor();
      kubelet.join();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rocksdb", "lmdb"})
  void shouldFindEverythingThatWasAcknowledgedInACacheThatSurvivesAKill(String server)
      throws Exception {
    LoadFixture load = load(server);
    load.succeed();
    assertTrue(load.summary("recovery.first_micros") > 0);
    assertTrue(load.summary("recovery.all_micros") >= load.summary("recovery.first_micros"));
    assertEquals(1, killed.get(), "by SIGKILL");
    assertEquals(0, load.summary("errors"));
    assertEquals(load.summary("operations"), load.summary("recovery.sent"));
    assertEquals(load.summary("operations"), load.summary("recovery.acknowledged"));
    assertEquals(load.summary("operations"), load.summary("recovery.kept"));
    assertEquals(load.summary("operations"), load.summary("outcome.kept"));
    assertEquals(0, load.summary("recovery.lost"));
    assertEquals(0, load.summary("recovery.refused"));
    assertEquals(0, load.summary("recovery.wrong"));
  }

  @Test
  void shouldCountWhatIsLostWhereNothingSurvivesAKill() throws Exception {
    LoadFixture load = load("heap");
    load.succeed();
    assertEquals(1, killed.get());
    assertTrue(load.summary("recovery.lost") > 0);
    assertTrue(load.summary("recovery.refused") > 0, "trips go on whose beginnings are lost");
    assertTrue(load.summary("outcome.incomplete") > 0);
    assertEquals(0, load.summary("recovery.wrong"));
    assertEquals(
        load.summary("recovery.acknowledged"),
        load.summary("recovery.kept")
            + load.summary("recovery.lost")
            + load.summary("recovery.refused"));
  }

  @Test
  void shouldFailWhereTheStoreCannotBeKilled() throws Exception {
    LoadFixture load =
        load("heap").with("RINGSIDE_KILL", ForkedStore.HOST + ":" + FreePorts.next());
    load.endWith(LoadProcess.FAILED, "cannot be killed");
  }

  @Test
  void shouldRefuseToKillWhenTheLoadIsOver() throws Exception {
    LoadFixture load =
        orders().with("RINGSIDE_ENDPOINTS", "h:1").with("RINGSIDE_RECOVERY_KILL_MILLIS", "3000");
    load.endWith(LoadProcess.BAD_ORDERS, "the load lasts 3 s");
  }

  private LoadFixture load(String server) throws Exception {
    Process first = start(server);
    kubelet = new Thread(() -> keep(first, server), "kubelet");
    kubelet.start();
    return orders().with("RINGSIDE_ENDPOINTS", ForkedStore.HOST + ":" + port);
  }

  private LoadFixture orders() {
    return LoadRun.in(folder)
        .with("RINGSIDE_DURATION_SECONDS", "3", "RINGSIDE_TARGET_RATE", "4000")
        .with("RINGSIDE_PARAM_TRIPS", "5", "RINGSIDE_RECOVERY_KILL_MILLIS", "1000")
        .with("RINGSIDE_KILL", ForkedStore.HOST + ":" + killPort);
  }

  /** Restarts the store until the test is over. */
  private void keep(Process first, String server) {
    try {
      for (Process life = first; !over; life = start(server)) {
        if (life.waitFor() == KILLED && !over) {
          killed.incrementAndGet();
        }
        if (over) {
          break;
        }
      }
      process.destroyForcibly();
    } catch (IOException | InterruptedException e) {
      if (!over) { // otherwise, the test ended it during its start
        throw new IllegalStateException(e);
      }
    }
  }

  private Process start(String server) throws IOException {
    Map<String, String> settings =
        Map.of("RINGSIDE_KILL_PORT", Integer.toString(killPort), "RINGSIDE_MEMTABLE_MIB", "1");
    Process life = ForkedStore.start(folder, server, port, settings);
    process = life;
    ForkedStore.serves(life);
    return life;
  }
}
