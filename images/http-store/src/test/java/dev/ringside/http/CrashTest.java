package dev.ringside.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kills the store's process with SIGKILL during writes, flushes and merges, and restarts it. It
 * must have every write that it acknowledged.
 */
class CrashTest {
  private static final int LIVES = 2;
  private static final int WRITERS = 4;
  private static final int WRITES = 1_200;
  private static final int LONGEST_MILLIS = 1_500;

  /** Number of kills at random moments; this system property changes it. */
  private static final int RANDOM_LIVES = Integer.getInteger("ringside.crash.lives", 4);

  @TempDir Path folder;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Map<String, String> acknowledged = new ConcurrentHashMap<>();

  /** The write of each key that has no answer: either this value or the previous one is present. */
  private final Map<String, String> unknown = new ConcurrentHashMap<>();

  private Process process;
  private int port;
  private int healthPort;

  @AfterEach
  void end() {
    process.destroyForcibly();
  }

  @ParameterizedTest
  @ValueSource(strings = {"always", "interval", "never"})
  void shouldHaveEveryAcknowledgedWriteAfterItWasKilled(String sync) throws Exception {
    for (int life = 0; life < LIVES; life++) {
      start(sync);
      assertEverythingIsThere();
      writeUntilKilled(life, count -> count == WRITES);
      assertTrue(tables() > 0, "nothing was flushed before the store was killed");
    }
    start(sync);
    assertEverythingIsThere();
    assertTrue(acknowledged.size() > LIVES * WRITES / 2, () -> acknowledged.size() + " writes");
  }

  /** Kills it during the start and recovery, too. */
  @Test
  void shouldHaveEveryAcknowledgedWriteWheneverItIsKilled() throws Exception {
    long seed = Long.getLong("ringside.crash.seed", System.nanoTime());
    Random random = new Random(seed);
    try {
      for (int life = 0; life < RANDOM_LIVES; life++) {
        launch("always");
        killIn(random.nextInt(LONGEST_MILLIS));
        start("always");
        assertEverythingIsThere();
        Thread killer = new Thread(() -> killIn(random.nextInt(LONGEST_MILLIS)));
        killer.start();
        writeUntilKilled(life, count -> false);
        killer.join();
      }
      start("always");
      assertEverythingIsThere();
    } catch (Exception | AssertionError e) {
      throw new AssertionError("with -Dringside.crash.seed=" + seed, e);
    }
    assertFalse(acknowledged.isEmpty());
  }

  /**
   * A limit of the size of files acts on this process alone, and fails writes as a full disk does.
   */
  @Test
  void shouldAcceptNoMoreWritesAfterTheDiskAcceptedNoMore() throws Exception {
    start("interval");
    assertEquals(201, put("before", "kept"));
    limitFilesTo(256 << 10);
    HttpResponse<String> refused = null;
    for (int i = 0; i < 64 && (refused == null || refused.statusCode() == 201); i++) {
      refused = send("filler" + i, "x".repeat(1 << 14));
    }
    assertEquals(500, refused.statusCode());
    Path data = folder.resolve("data");
    assertTrue(
        refused.body().startsWith("write to " + data + ": ")
            && refused.body().contains("File too large"),
        refused.body());
    limitFilesTo(Long.MAX_VALUE);
    assertEquals(500, put("after", "not acknowledged"));
    URI live = URI.create("http://127.0.0.1:" + healthPort + "/live");
    HttpResponse<String> probe =
        client.send(HttpRequest.newBuilder(live).build(), BodyHandlers.ofString());
    assertEquals(503, probe.statusCode());
    assertTrue(probe.body().contains("the store has failed: write to " + data), probe.body());
    process.destroyForcibly().waitFor();
    start("interval");
    acknowledged.put("before", "kept");
    assertEverythingIsThere();
    assertEquals(201, put("after", "acknowledged"));
  }

  private void limitFilesTo(long bytes) throws Exception {
    String size = bytes == Long.MAX_VALUE ? "unlimited" : Long.toString(bytes);
    Process limit =
        new ProcessBuilder("prlimit", "--pid", "" + process.pid(), "--fsize=" + size + ":")
            .inheritIO()
            .start();
    assertEquals(0, limit.waitFor());
  }

  private void killIn(int millis) {
    try {
      process.waitFor(millis, TimeUnit.MILLISECONDS);
      process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void start(String sync) throws IOException {
    launch(sync);
    BufferedReader out = process.inputReader();
    String line = out.readLine();
    while (line != null && !line.startsWith("ringside-proof ")) {
      line = out.readLine();
    }
    assertTrue(line != null, "it ended before it served");
  }

  private void launch(String sync) throws IOException {
    port = freePort();
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
            "-cp",
            System.getProperty("java.class.path"),
            HttpStoreMain.class.getName());
    Map<String, String> environment = builder.environment();
    environment.put("RINGSIDE_SERVERS", "arrayqueue:" + port);
    environment.put("RINGSIDE_DATA", folder.resolve("data").toString());
    healthPort = freePort();
    environment.put("RINGSIDE_HEALTH_PORT", Integer.toString(healthPort));
    environment.put("RINGSIDE_METRICS_PORT", "0");
    environment.put("RINGSIDE_COUNTERS_PORT", "0");
    environment.put("RINGSIDE_MEMTABLE_MIB", "1");
    environment.put("RINGSIDE_SYNC", sync);
    process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Writes until the store has ended, which is killed after a number of acknowledged writes. */
  private void writeUntilKilled(int life, IntPredicate enough) throws InterruptedException {
    AtomicInteger count = new AtomicInteger();
    List<Thread> writers = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      String prefix = "life" + life + "-writer" + writer + "-";
      writers.add(new Thread(() -> write(prefix, count, enough)));
    }
    writers.forEach(Thread::start);
    for (Thread writer : writers) {
      writer.join(TimeUnit.SECONDS.toMillis(60));
    }
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
  }

  private void write(String prefix, AtomicInteger count, IntPredicate enough) {
    String id = prefix;
    String value = "";
    try {
      for (int i = 0; ; i++) {
        id = prefix + i % 300; // overwrites some
        value = (prefix + i + " ").repeat(400);
        if (put(id, value) == 201) {
          acknowledged.put(id, value);
          if (enough.test(count.incrementAndGet())) {
            process.destroyForcibly();
          }
        }
      }
    } catch (IOException | InterruptedException e) {
      unknown.put(id, value); // the store has ended
    }
  }

  private long tables() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("data"))) {
      return files.filter(file -> file.toString().endsWith(".sst")).count();
    }
  }

  private int put(String id, String value) throws IOException, InterruptedException {
    return send(id, value).statusCode();
  }

  private HttpResponse<String> send(String id, String value)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(id)).PUT(BodyPublishers.ofString(value)).build();
    return client.send(request, BodyHandlers.ofString());
  }

  private void assertEverythingIsThere() throws Exception {
    for (Map.Entry<String, String> entry : acknowledged.entrySet()) {
      String id = entry.getKey();
      String found =
          client.send(HttpRequest.newBuilder(uri(id)).build(), BodyHandlers.ofString()).body();
      if (found.equals(unknown.remove(id))) {
        entry.setValue(found);
      }
      assertEquals(entry.getValue(), found, id);
    }
  }

  private URI uri(String id) {
    return URI.create("http://127.0.0.1:" + port + "/v0/entity?id=" + id);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
