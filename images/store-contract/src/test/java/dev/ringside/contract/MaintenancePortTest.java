package dev.ringside.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MaintenancePortTest {
  private final BlockingQueue<String> warned = new LinkedBlockingQueue<>();
  private final Map<String, MaintenanceTask> tasks = new TreeMap<>();
  private MaintenancePort port;

  @BeforeEach
  void open() {
    port = new MaintenancePort(0, tasks, warned::add);
  }

  @AfterEach
  void close() throws IOException {
    port.close();
  }

  @Test
  void shouldReportTheBeginningAndTheEnd() throws Exception {
    Held repair = new Held();
    tasks.put("repair", repair);
    try (Client client = new Client("repair\n")) {
      assertEquals("begun", client.answer());
      assertFalse(client.hasAnswer());
      repair.end.countDown();
      assertEquals("done", client.answer());
      assertNull(client.answer(), "the connection is closed");
    }
    assertEquals(0, repair.stops.size());
  }

  @Test
  void shouldReportWhyATaskFailedInOneLine() throws Exception {
    Held repair = new Held();
    repair.failure = new IOException("no neighbour\nis up");
    repair.end.countDown();
    tasks.put("repair", repair);
    try (Client client = new Client("repair\n")) {
      assertEquals("begun", client.answer());
      assertEquals("failed java.io.IOException: no neighbour is up", client.answer());
    }
    assertEquals("task repair failed: java.io.IOException: no neighbour\nis up", warned.take());
  }

  @Test
  void shouldNameItsTasksToAClientThatOrdersAnother() throws Exception {
    tasks.put("repair", new Held());
    tasks.put("compact", new Held());
    try (Client client = new Client("vacuum\n")) {
      assertEquals("failed there is no task vacuum; use one of compact, repair", client.answer());
      assertNull(client.answer());
    }
    try (Client client = new Client("a name that is far longer than any that a chart offers\n")) {
      assertTrue(client.answer().startsWith("failed there is no task a name that is far longer"));
    }
  }

  @Test
  void shouldStopATaskWithoutItsClientBeforeTheNextBegins() throws Exception {
    Held repair = new Held();
    Held compact = new Held();
    compact.end.countDown();
    tasks.put("repair", repair);
    tasks.put("compact", compact);
    Client next;
    try (Client client = new Client("repair\n")) {
      assertEquals("begun", client.answer());
      next = new Client("compact\n");
      assertFalse(next.hasAnswer(), "one task at a time");
    }
    try (Client waiting = next) {
      repair.stops.take();
      assertFalse(waiting.hasAnswer(), "it is not over yet");
      repair.end.countDown();
      assertEquals("begun", waiting.answer());
      assertEquals("done", waiting.answer());
    }
  }

  @Test
  void shouldStopAgainATaskThatTheFirstStopMissed() throws Exception {
    Held repair = new Held();
    tasks.put("repair", repair);
    try (Client client = new Client("repair\n")) {
      assertEquals("begun", client.answer());
    }
    try {
      repair.stops.take();
      repair.stops.take();
    } finally {
      repair.end.countDown(); // or else closing the port would wait for it
    }
  }

  @Test
  void shouldTellTheClientBeforeTheProcessRestarts() throws Exception {
    Held upgrade = new Held();
    upgrade.end.countDown();
    CountDownLatch told = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    upgrade.restart =
        Optional.of(
            () -> {
              await(told);
              ended.countDown();
            });
    tasks.put("upgrade", upgrade);
    Client next;
    try (Client client = new Client("upgrade\n")) {
      assertEquals("begun", client.answer());
      assertEquals("restarts", client.answer());
      next = new Client("restarted\n");
      assertFalse(next.hasAnswer(), "the process that restarts does not answer for the next");
    }
    told.countDown();
    ended.await();
    try (Client asking = next) { // a process that serves answers
      assertEquals("done", asking.answer());
      assertNull(asking.answer());
    }
  }

  @Test
  void shouldRestartWithoutTheClientButNotAfterAFailure() throws Exception {
    Held upgrade = new Held();
    CountDownLatch ended = new CountDownLatch(1);
    upgrade.restart = Optional.of(ended::countDown);
    tasks.put("upgrade", upgrade);
    try (Client client = new Client("upgrade\n")) {
      assertEquals("begun", client.answer());
    }
    upgrade.stops.take();
    upgrade.end.countDown();
    ended.await();
    upgrade.failure = new IOException("the disk is full");
    upgrade.restart =
        Optional.of(
            () -> {
              throw new AssertionError("it did not succeed");
            });
    try (Client client = new Client("upgrade\n")) {
      assertEquals("begun", client.answer());
      assertEquals("failed java.io.IOException: the disk is full", client.answer());
    }
  }

  @Test
  void shouldListenOnLoopbackOnlyAndNameAPortInUse() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> new MaintenancePort(port.port(), tasks, x -> {}));
    String why = "cannot listen on loopback:" + port.port() + "/tcp for maintenance: is the port";
    assertTrue(e.getMessage().startsWith(why), e::getMessage);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A task that lasts until the test ends it. */
  private static final class Held implements MaintenanceTask {
    final CountDownLatch end = new CountDownLatch(1);
    final BlockingQueue<String> stops = new LinkedBlockingQueue<>();
    volatile Exception failure;
    volatile Optional<Runnable> restart = Optional.empty();

    @Override
    public Optional<Runnable> restart() {
      return restart;
    }

    @Override
    public void run() throws Exception {
      end.await();
      if (failure != null) {
        throw failure;
      }
    }

    @Override
    public void stop() {
      stops.add("stop");
    }
  }

  private final class Client implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader in;

    Client(String order) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), port.port());
      socket.getOutputStream().write(order.getBytes(StandardCharsets.US_ASCII));
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    String answer() throws IOException {
      return in.readLine();
    }

    boolean hasAnswer() throws IOException {
      return in.ready();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
