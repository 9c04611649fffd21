package dev.ringside.contract.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests with the real profiler, in its own process. */
@Timeout(120)
final class ProfilePortTest {
  private static final String BURNING = "dev/ringside/contract/profile/ProfiledStore.burnCpu";

  /** The unit of the profiler's timers; perf events count the exact CPU time. */
  private static final long TIMER_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  @TempDir Path folder;

  @Test
  void shouldTellWhichCodeUsesTheCpuAndWhatSampledIt() throws Exception {
    try (ForkedStore store = ForkedStore.with()) {
      HttpResponse<String> profile = store.profile("cpu", 2);
      assertMostIn(profile, "burner-#;", BURNING);
      assertEquals("ns", header(profile, "Unit"));
      assertEquals(
          "text/plain; charset=utf-8", header(profile.headers().map().get("content-type")));
      boolean byTimers = profile.body().lines().allMatch(line -> count(line) % TIMER_NANOS == 0);
      List<String> engines = byTimers ? List.of("ctimer", "itimer") : List.of("perf_events");
      assertTrue(engines.contains(header(profile, "Engine")), header(profile, "Engine"));
      assertTrue(Long.parseLong(header(profile, "Samples")) > 0, profile::body);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "alloc, bytes, allocator-#;, ProfiledStore.allocate;byte[]_[i]",
    "lock, ns, waiter-#;, ProfiledStore.waitForLock;java.lang.Object_[i]",
  })
  void shouldTellWhoAllocatesAndWhoWaits(String event, String unit, String thread, String code)
      throws Exception {
    try (ForkedStore store = ForkedStore.with()) {
      HttpResponse<String> profile = store.profile(event, 2);
      assertMostIn(profile, thread, code);
      assertEquals(event, header(profile, "Engine"));
      assertEquals(unit, header(profile, "Unit"));
    }
  }

  @Test
  void shouldTellWhatEveryThreadButItsOwnDoesByTheClock() throws Exception {
    try (ForkedStore store = ForkedStore.with()) {
      HttpResponse<String> profile = store.profile("wall", 2);
      assertEquals(200, profile.statusCode(), profile.body());
      Set<String> threads = profile.body().lines().map(Frames::root).collect(Collectors.toSet());
      assertTrue(
          threads.containsAll(Set.of("burner-#", "allocator-#", "waiter-#", "main")),
          threads::toString);
      assertTrue(threads.stream().noneMatch(name -> name.contains("profile")), threads::toString);
      assertEquals("wall", header(profile, "Engine"));
    }
  }

  @Test
  void shouldLoadNothingBeforeTheFirstRequest() throws Exception {
    try (ForkedStore store = ForkedStore.with()) {
      assertEquals(400, store.profile("cpu", 0).statusCode());
      assertFalse(store.hasLibrary());
      while (store.threads("ringside-profil") != 1) {
        // The thread of the rejected client is about to end.
        Thread.onSpinWait();
      }
      assertEquals(200, store.profile("wall", 1).statusCode());
      assertTrue(store.hasLibrary());
    }
  }

  @Test
  void shouldAnswerOneClientAtATimeAndStopWhenItHangsUp() throws Exception {
    try (ForkedStore store = ForkedStore.with()) {
      assertEquals(200, store.profile("wall", 1).statusCode(), "and the library is loaded");
      long hungUp = hangUpAmidAProfile(store);
      long lastBusy = hungUp;
      while (store.profile("lock", 1).statusCode() == 409) {
        lastBusy = System.nanoTime();
      }
      long took = TimeUnit.NANOSECONDS.toMillis(lastBusy - hungUp);
      assertTrue(took < 5_000, "it went on for " + took + " ms of its 600 s");
    }
  }

  /** Closes a connection during its profile and returns the time, as System.nanoTime. */
  private static long hangUpAmidAProfile(ForkedStore store) throws Exception {
    HttpResponse<String> other;
    do {
      try (Socket client = store.ask("cpu", 600)) {
        assertTrue(client.isConnected());
        // This request may be served before the first one, which is then rejected: repeat both.
        other = store.profile("wall", 1);
      }
    } while (other.statusCode() == 200);
    long hungUp = System.nanoTime();
    assertEquals(409, other.statusCode());
    assertEquals("a profile is under way: ask again when it has ended\n", other.body());
    return hungUp;
  }

  @Test
  void shouldRefuseInOneLine() throws Exception {
    try (ForkedStore store = ForkedStore.with()) {
      HttpResponse<String> refused = store.get("/profile?event=gpu&seconds=1");
      assertEquals(400, refused.statusCode());
      assertEquals("event is 'gpu': it is one of cpu, alloc, lock, wall\n", refused.body());
      assertEquals(404, store.get("/metrics").statusCode());
    }
  }

  @Test
  void shouldSayWhereTheProfilerCannotRun() throws Exception {
    assertCannot(
        "async-profiler has no library for Linux on riscv64: run the store's pods on Linux nodes of"
            + " amd64 or arm64\n",
        ForkedStore.with("-Dos.arch=riscv64"));
    assertCannot(
        "async-profiler has no library for Linux on aarch32: run the store's pods on Linux nodes of"
            + " amd64 or arm64\n",
        ForkedStore.with("-Dos.arch=aarch32"));
    Path none = folder.resolve("none");
    assertCannot(
        "async-profiler's library cannot be unpacked into "
            + none
            + " (java.io.IOException: No such file or directory): give the container a writable"
            + " folder there\n",
        ForkedStore.with("-Djava.io.tmpdir=" + none));
    Path broken = Files.writeString(folder.resolve("broken.so"), "no library");
    assertCannot(
        "async-profiler's library cannot be loaded from ",
        ForkedStore.with(
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-PrintWarnings",
            "-Done.profiler.libraryPath=" + broken));
    String without =
        Arrays.stream(System.getProperty("java.class.path").split(":"))
            .filter(entry -> !entry.contains("async-profiler"))
            .collect(Collectors.joining(":"));
    assertCannot(
        "async-profiler is not in the image: put its jar on the class path\n",
        ForkedStore.onClassPath(without));
  }

  @Test
  void shouldNameThePortThatIsInUse() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  new ProfilePort((InetSocketAddress) taken.getLocalSocketAddress(), text -> {})
                      .close());
      String why = ":" + taken.getLocalPort() + "/tcp for profiles: is the port in use?";
      assertTrue(e.getMessage().contains(why), e::getMessage);
    }
  }

  @Test
  void shouldListenNoMoreOnceClosed() throws Exception {
    InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    for (int round = 0; round < 2_000; round++) {
      ProfilePort port = new ProfilePort(free, text -> {});
      InetSocketAddress there = new InetSocketAddress(free.getAddress(), port.port());
      try (Socket waitedFor = new Socket(there.getAddress(), there.getPort())) {
        assertTrue(waitedFor.isConnected());
        port.close();
      }
      assertThrows(
          ConnectException.class,
          () -> new Socket(there.getAddress(), there.getPort()).close(),
          "in round " + round);
    }
  }

  private static void assertCannot(String why, ForkedStore forked) throws Exception {
    try (ForkedStore store = forked) {
      HttpResponse<String> refused = store.profile("cpu", 1);
      assertTrue(refused.body().startsWith(why), refused.body());
      assertEquals(501, refused.statusCode());
      assertEquals(1, refused.body().lines().count());
    }
  }

  /**
   * Verifies that more than half of the counts are in stacks of that kind of thread and that code.
   */
  private static void assertMostIn(HttpResponse<String> profile, String thread, String code) {
    assertEquals(200, profile.statusCode(), profile.body());
    long there =
        profile
            .body()
            .lines()
            .filter(line -> line.startsWith(thread) && line.contains(code))
            .mapToLong(ProfilePortTest::count)
            .sum();
    long all = profile.body().lines().mapToLong(ProfilePortTest::count).sum();
    assertTrue(there > all / 2, () -> there + " of " + all + " in:\n" + profile.body());
  }

  private static long count(String line) {
    return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
  }

  private static String header(HttpResponse<String> profile, String name) {
    return header(profile.headers().map().get("ringside-profile-" + name.toLowerCase()));
  }

  private static String header(List<String> values) {
    assertEquals(1, values.size());
    return values.get(0);
  }
}
