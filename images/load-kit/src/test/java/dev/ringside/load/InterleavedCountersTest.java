package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class InterleavedCountersTest {
  private static final Pattern LINE =
      Pattern.compile(
          "#\\[Counters: (\\S+) start=([0-9.]+) length=([0-9.]+) operations=(\\d+) windows=1"
              + " unknown=([01])((?: [a-z_]+=\\d+)*)]");

  private static final String HERE = "127.0.0.1";
  private static final int OPERATION_NANOS = 1_000;

  @TempDir Path folder;

  private LoadFixture load(FakeCounters... pods) {
    List<String> endpoints = new ArrayList<>();
    for (FakeCounters pod : pods) {
      endpoints.add(pod.endpoint().toString());
    }
    return new LoadFixture(folder)
        .with("RINGSIDE_ARMS", "a=h:1;b=h:2", "RINGSIDE_WINDOW_MILLIS", "10")
        .with("RINGSIDE_DURATION_SECONDS", "1", "RINGSIDE_WARMUP_SECONDS", "0")
        .with("RINGSIDE_INTERLEAVE", "windows", "RINGSIDE_COUNTERS", String.join(",", endpoints));
  }

  /**
   * The store counts a fixed time per operation, so each line must have that time per operation.
   */
  @Test
  void shouldCountEachWindowsOperationsAndNoOthers() throws Exception {
    countsItsOwn("", 101, "a reading between two windows, one before and one after all");
  }

  @Test
  void shouldCountNothingOfWhatNewConnectionsCost() throws Exception {
    countsItsOwn("10,20", 103, "and one more behind each time");
  }

  /** Windows of 10 ms after lead-ins of 10 ms: 25 blocks of two windows in a second. */
  @Test
  void shouldCountNothingOfTheLeadIns() throws Exception {
    FakeServers servers = new FakeServers((port, number) -> FakeServers.take(200));
    LongUnaryOperator answered = number -> servers.answered(1) + servers.answered(2);
    try (FakeCounters pod = FakeCounters.cpu(HERE, answered)) {
      LoadFixture load = load(pod).with("RINGSIDE_LEAD_IN_MILLIS", "10");
      assertEquals(0, load.run(servers), load::errors);
      List<Matcher> lines = lines(load.log());
      assertEquals(50, lines.size());
      for (Matcher line : lines) {
        assertEquals(" cpu_ns=" + line.group(4), line.group(6));
      }
    }
  }

  private void countsItsOwn(String reconnects, int readings, String why) throws Exception {
    FakeServers servers = new FakeServers((port, number) -> FakeServers.take(200));
    LongUnaryOperator nanos =
        number -> OPERATION_NANOS * (servers.answered(1) + servers.answered(2));
    try (FakeCounters first = FakeCounters.cpu(HERE, nanos);
        FakeCounters second = FakeCounters.cpu(HERE, nanos)) {
      LoadFixture load = load(first, second).with("RINGSIDE_RECONNECT_BLOCKS", reconnects);
      assertEquals(0, load.run(servers), load::errors);
      List<Matcher> lines = lines(load.log());
      List<Histogram> windows = Logged.lines(load.log());
      assertEquals(100, lines.size());
      Map<String, Long> operations = new HashMap<>();
      for (int i = 0; i < lines.size(); i++) {
        Matcher line = lines.get(i);
        Histogram window = windows.get(i);
        assertEquals(window.getTag(), line.group(1) + "/READ-st");
        assertEquals(window.getTotalCount(), Long.parseLong(line.group(4)));
        assertEquals("0", line.group(5));
        assertEquals(" cpu_ns=" + 2 * OPERATION_NANOS * window.getTotalCount(), line.group(6));
        operations.merge(line.group(1), window.getTotalCount(), Long::sum);
      }
      assertEquals(operations.get("a"), load.summary("a.operations"));
      assertEquals(readings, first.readings(), why);
    }
  }

  @Test
  void shouldGiveTheWindowsTimesAsInTheirOwnLines() throws Exception {
    try (FakeCounters pod = FakeCounters.cpu(HERE, number -> 1)) {
      LoadFixture load = load(pod);
      assertEquals(0, load.run(new FakeServers((port, number) -> FakeServers.take(200))));
      assertEquals(times(load.log()), countedTimes(load.log()));
    }
  }

  private static List<String> times(Path log) throws Exception {
    List<String> times = new ArrayList<>();
    for (String line : Files.readAllLines(log)) {
      if (line.startsWith("Tag=")) {
        String[] fields = line.split(",");
        times.add(fields[1] + " " + fields[2]);
      }
    }
    return times;
  }

  private static List<String> countedTimes(Path log) throws Exception {
    List<String> counted = new ArrayList<>();
    lines(log).forEach(line -> counted.add(line.group(2) + " " + line.group(3)));
    return counted;
  }

  @Test
  void shouldSayWhichWindowsCountersAreUnknownAndGoOn() throws Exception {
    try (FakeCounters pod =
        new FakeCounters(
            (number, id) -> id.equals("50") ? null : "id " + id + "\ncpu_ns " + number + "\n")) {
      LoadFixture load = load(pod);
      assertEquals(0, load.run(new FakeServers((port, number) -> FakeServers.take(200))));
      List<Matcher> lines = lines(load.log());
      for (int i = 0; i < lines.size(); i++) {
        boolean lost = i == 48 || i == 49; // the windows before and after the fiftieth reading
        assertEquals(lost ? "1" : "0", lines.get(i).group(5), "window " + i);
        assertEquals(lost, lines.get(i).group(6).isEmpty());
        assertTrue(!lost || lines.get(i).group(4).equals("0"));
      }
      assertTrue(load.summary("a.errors") == 0 && load.summary("b.errors") == 0);
    }
  }

  @Test
  void shouldNameBothSidesOfADuet() throws Exception {
    try (FakeCounters pod = FakeCounters.cpu(HERE, number -> 1)) {
      LoadFixture load =
          load(pod).with("RINGSIDE_INTERLEAVE", "duet").with("RINGSIDE_BASELINE", "a");
      assertEquals(0, load.run(new FakeServers((port, number) -> FakeServers.take(200))));
      long operations = 0;
      for (Matcher line : lines(load.log())) {
        assertTrue(line.group(1).equals("b+a@b") || line.group(1).equals("a@b+b"), line.group(1));
        operations += Long.parseLong(line.group(4));
      }
      assertEquals(load.summary("b.operations") + load.summary("a@b.operations"), operations);
    }
  }

  /** Each arm has a store of its own, which uses CPU time while the other has the window, too. */
  @Test
  void shouldCountOnlyThePodsOfTheWindowsArm() throws Exception {
    FakeServers servers = new FakeServers((port, number) -> FakeServers.take(200));
    AtomicLong background = new AtomicLong();
    try (FakeCounters first =
            FakeCounters.cpu(HERE, number -> OPERATION_NANOS * servers.answered(1));
        FakeCounters second =
            new FakeCounters(
                "127.0.0.2",
                (number, id) ->
                    id.equals("50")
                        ? null
                        : "id " + id + "\ncpu_ns " + background.addAndGet(1_000_000_000) + "\n")) {
      LoadFixture load = load(first, second).with("RINGSIDE_ARMS", "a=127.0.0.1:1;b=127.0.0.2:2");
      assertEquals(0, load.run(servers), load::errors);
      List<Matcher> lines = lines(load.log());
      List<Histogram> windows = Logged.lines(load.log());
      int unknown = 0;
      for (int i = 0; i < lines.size(); i++) {
        Matcher line = lines.get(i);
        if (line.group(1).equals("a")) {
          String cpu = " cpu_ns=" + OPERATION_NANOS * windows.get(i).getTotalCount();
          assertEquals(cpu, line.group(6), "window " + i);
        } else if (line.group(5).equals("1")) {
          unknown++;
          assertTrue(i == 48 || i == 49, "window " + i + " is not next to the lost reading");
        }
      }
      assertEquals(1, unknown, "only the arm whose pod did not answer misses its counters");
    }
  }

  @Test
  void shouldGiveEachSideOfADuetItsOwnLineWhereTheSidesHavePodsOfTheirOwn() throws Exception {
    FakeServers servers =
        new FakeServers((port, number) -> FakeServers.take(port == 2 ? 80_000 : 200));
    try (FakeCounters first = FakeCounters.cpu(HERE, number -> 1_000 * servers.answered(1));
        FakeCounters second =
            FakeCounters.cpu("127.0.0.2", number -> 3_000 * servers.answered(2))) {
      LoadFixture load =
          load(first, second)
              .with("RINGSIDE_ARMS", "a=127.0.0.1:1;b=127.0.0.2:2", "RINGSIDE_INTERLEAVE", "duet")
              .with("RINGSIDE_BASELINE", "a", "RINGSIDE_WINDOW_MILLIS", "50");
      assertEquals(0, load.run(servers), load::errors);
      List<Matcher> lines = lines(load.log());
      List<Histogram> windows = Logged.lines(load.log());
      assertEquals(40, lines.size());
      for (int i = 0; i < lines.size(); i++) {
        Matcher line = lines.get(i);
        long operations = windows.get(i).getTotalCount();
        assertEquals(windows.get(i).getTag(), line.group(1) + "/READ-st");
        assertEquals(operations, Long.parseLong(line.group(4)));
        long each = line.group(1).equals("a@b") ? 1_000 : 3_000;
        assertEquals(" cpu_ns=" + each * operations, line.group(6), line.group(1));
      }
      assertEquals(times(load.log()), countedTimes(load.log()), "the side's own length");
    }
  }

  /** The store is read after both sides have ended. */
  @Test
  void shouldGiveADuetsWindowTheTimeOfItsLongerSide() throws Exception {
    try (FakeCounters pod = FakeCounters.cpu(HERE, number -> 1)) {
      LoadFixture load =
          load(pod)
              .with("RINGSIDE_INTERLEAVE", "duet", "RINGSIDE_BASELINE", "a")
              .with("RINGSIDE_WINDOW_MILLIS", "50");
      FakeServers servers =
          new FakeServers((port, number) -> FakeServers.take(port == 2 ? 80_000 : 200));
      assertEquals(0, load.run(servers));
      List<Double> longer = new ArrayList<>();
      List<Double> sides = new ArrayList<>();
      for (String line : Files.readAllLines(load.log())) {
        if (line.startsWith("Tag=")) {
          sides.add(Double.parseDouble(line.split(",")[2]));
        }
      }
      for (int side = 0; side < sides.size(); side += 2) {
        longer.add(Math.max(sides.get(side), sides.get(side + 1)));
      }
      List<Double> counted = new ArrayList<>();
      lines(load.log()).forEach(line -> counted.add(Double.parseDouble(line.group(3))));
      assertEquals(20, counted.size());
      assertEquals(longer, counted);
    }
  }

  @Test
  void shouldLogNoCountersWhereTheStoreHasNone() throws Exception {
    LoadFixture load = load();
    assertEquals(0, load.run(new FakeServers((port, number) -> FakeServers.take(200))));
    assertFalse(Files.readString(load.log()).contains("Counters"));
  }

  @Test
  void shouldRefuseCountersThatAreNoEndpoints() {
    LoadFixture load = load().with("RINGSIDE_COUNTERS", "store-0");
    assertEquals(
        LoadProcess.BAD_ORDERS, load.run(new FakeServers((port, number) -> FakeServers.take(1))));
    assertTrue(load.errors().contains("RINGSIDE_COUNTERS has 'store-0'"), load::errors);
  }

  private static List<Matcher> lines(Path log) throws Exception {
    List<Matcher> lines = new ArrayList<>();
    for (String line : Files.readAllLines(log)) {
      if (line.contains("Counters")) {
        Matcher matcher = LINE.matcher(line);
        assertTrue(matcher.matches(), line);
        lines.add(matcher);
      }
    }
    return lines;
  }
}
