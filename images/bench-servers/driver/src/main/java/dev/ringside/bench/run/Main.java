package dev.ringside.bench.run;

import dev.ringside.bench.handler.ThreadCounts;
import dev.ringside.bench.stats.AtRest;
import dev.ringside.bench.stats.Column;
import dev.ringside.bench.stats.Measured;
import dev.ringside.bench.stats.Report;
import dev.ringside.bench.stats.Row;
import dev.ringside.bench.stats.Summary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Is the command line of the benchmark. */
@Command(
    name = "bench-servers",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpWidth = 110,
    description =
        "Runs Thrift servers side by side under one load and compares them: rows.csv, summary.csv,"
            + " table.txt.")
public final class Main implements Callable<Integer> {
  private static final int BAD_INPUT = 2;
  private static final int SOME_FAILED = 3;
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  /** Lists the valid parts of cells, for the help. */
  private static final class Parts extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Parts() {
      super(List.of(Cell.parts()));
    }
  }

  @Option(
      names = "--servers",
      split = ",",
      paramLabel = "NAME",
      description = "servers, all by default; an unknown name lists them")
  private List<String> servers = List.of();

  @Option(
      names = "--cells",
      split = ",",
      paramLabel = "CELL",
      completionCandidates = Parts.class,
      description =
          "handler/connections/depth, * for all (${COMPLETION-CANDIDATES})."
              + " Default: ${DEFAULT-VALUE}")
  private List<String> cells =
      List.of(
          "at-once/*/*",
          "at-once-64k/1/1",
          "at-once-64k/16/1",
          "at-once-1m/1/1",
          "at-once-1m/16/1",
          "cpu-100us/*/*",
          "sleep-1ms/*/*",
          "1pct-20ms/*/*",
          "socket-1ms/64/1",
          "turns-slow/64/1");

  @Option(
      names = "--rounds",
      description =
          "repeats; ratios have intervals from six on, merged percentiles from four."
              + " Default: ${DEFAULT-VALUE}")
  private int rounds = 6;

  @Option(names = "--seconds", description = "measured window. Default: ${DEFAULT-VALUE}")
  private double seconds = 2;

  @Option(names = "--lead", description = "seconds of load before it. Default: ${DEFAULT-VALUE}")
  private double lead = 1;

  @Option(
      names = "--warmup",
      description = "seconds of load on a fresh process. Default: ${DEFAULT-VALUE}")
  private double warmup = 4;

  @Option(
      names = "--open-loop",
      split = ",",
      paramLabel = "PERCENT",
      description =
          "after each closed loop, constant rates of so many percent of what the server had in it,"
              + " with times from when a request was due. Such as 50,80; none by default")
  private List<Integer> openLoop = List.of();

  @Option(
      names = "--at-rest",
      paramLabel = "SECONDS",
      description =
          "watch each fresh server for so long while its connections are open and nothing is sent:"
              + " CPU time and wake-ups, in at-rest.csv and table.txt. Not by default")
  private double atRest;

  @Option(names = "--workers", description = "threads that run requests. Default: ${DEFAULT-VALUE}")
  private int workers = 16;

  @Option(names = "--selectors", description = "selector threads. Default: ${DEFAULT-VALUE}")
  private int selectors = 2;

  @Option(
      names = "--defaults",
      description =
          "each server with its own library's numbers of threads, in place of --workers and"
              + " --selectors; without the variants that exist only by such a number")
  private boolean defaults;

  @Option(names = "--pin", description = "client on the last CPU, servers on the others (taskset)")
  private boolean pin;

  @Option(names = "--heap", description = "heap of each process. Default: ${DEFAULT-VALUE}")
  private String heap = "256m";

  @Option(
      names = "--no-syscalls",
      description = "do not count system calls (perf or strace, in a window of its own)")
  private boolean noSyscalls;

  @Option(names = "--seed", description = "of the random order. Default: the time")
  private long seed = System.nanoTime();

  @Option(names = "--results", description = "folder. Default: ${DEFAULT-VALUE}")
  private Path results = Path.of("results", "bench-servers");

  @Option(
      names = "--reference",
      paramLabel = "NAME",
      description =
          "the server that every other is compared with. Default: the first of ours in the race")
  private String reference;

  @Option(
      names = "--no-again",
      description = "do not race the reference once more as NAME-again, which shows the noise")
  private boolean noAgain;

  @Option(
      names = "--before",
      paramLabel = "FOLDER",
      description =
          "also races ours as another build has them, as peers: its images/bench-servers, built")
  private Path before;

  @Spec private CommandSpec spec;

  @Option(names = "--home", description = "folder of the built modules", hidden = true)
  private Path home = Path.of("images", "bench-servers");

  /**
   * Exits with status 0 if everything was measured, 2 for invalid input, 3 if some measurements
   * failed.
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    List<Contender> contenders;
    List<Cell> chosen;
    try {
      contenders = defaults ? Contender.withDefaults(servers) : Contender.of(servers);
      if (before != null) {
        contenders = Contender.withBefore(contenders, before);
      }
      if (reference == null) {
        reference = firstOfOurs(contenders);
      }
      if (!reference.isEmpty()) {
        List<Contender> both = Contender.withAgain(contenders, reference);
        contenders = noAgain ? contenders : both;
      }
      chosen = Cell.parse(cells);
      check();
    } catch (IllegalArgumentException e) {
      System.err.println("bench-servers: " + e.getMessage());
      return BAD_INPUT;
    }
    List<Plan.Step> plan = Plan.of(contenders, chosen, rounds, seed);
    if (plan.isEmpty()) {
      System.err.println("bench-servers: none of the servers can take part in any of the cells");
      return BAD_INPUT;
    }
    Path folder = results.resolve(STAMP.format(Instant.now()));
    Files.createDirectories(folder.resolve("logs"));
    List<AtRest> rests = new ArrayList<>();
    List<Row> rows = race(plan, folder, rests);
    finish(rows, rests, contenders, folder);
    return rows.stream().allMatch(Row::ok) ? 0 : SOME_FAILED;
  }

  private static String firstOfOurs(List<Contender> contenders) {
    return contenders.stream()
        .filter(contender -> contender.role() == Contender.Role.OURS)
        .findFirst()
        .map(Contender::id)
        .orElse("");
  }

  private void check() {
    LoadKind.of(openLoop);
    if (atRest < 0) {
      throw new IllegalArgumentException("--at-rest must not be below zero");
    }
    if (rounds < 1 || seconds <= 0 || lead <= 0 || warmup <= 0 || workers < 1 || selectors < 1) {
      throw new IllegalArgumentException(
          "rounds, seconds, lead, warmup, workers and selectors must be above zero");
    }
    if (defaults
        && Stream.of("--workers", "--selectors")
            .anyMatch(spec.commandLine().getParseResult()::hasMatchedOption)) {
      throw new IllegalArgumentException(
          "--defaults is in place of --workers and --selectors: leave out one or the other");
    }
    if (pin && Runtime.getRuntime().availableProcessors() < 2) {
      throw new IllegalArgumentException("--pin needs two CPUs, here is one");
    }
  }

  private List<Row> race(List<Plan.Step> plan, Path folder, List<AtRest> rests)
      throws IOException, InterruptedException {
    SyscallCounter syscalls = SyscallCounter.find(!noSyscalls, folder);
    Settings settings = settings();
    Environment.write(folder.resolve("environment.txt"), settings, syscalls.tool(), seed);
    Progress progress =
        new Progress(
            Plan.measurements(plan, settings.loads().size()), Clock.systemUTC(), System.err);
    List<Row> rows = new ArrayList<>();
    try (PrintWriter csv = writer(folder.resolve("rows.csv"));
        PrintWriter histograms = writer(folder.resolve("histograms.csv"));
        Race race = new Race(settings, new Processes(settings, folder.resolve("logs")), syscalls)) {
      // After Ctrl-C, the children's input ends and so do they; rows written so far are complete.
      csv.println(Column.header());
      histograms.println(Measured.header() + ",all,quick");
      race.run(
          plan,
          (step, row) -> {
            rows.add(row);
            csv.println(Column.line(row));
            csv.flush();
            histograms.println(
                row.measured().line() + "," + row.all().text() + "," + row.quick().text());
            histograms.flush();
            progress.done(step, row);
          },
          rests::add);
    }
    progress.end();
    return rows;
  }

  private void finish(List<Row> rows, List<AtRest> rests, List<Contender> contenders, Path folder)
      throws IOException {
    if (!rests.isEmpty()) {
      try (PrintWriter csv = writer(folder.resolve("at-rest.csv"))) {
        csv.println(AtRest.header());
        rests.forEach(one -> csv.println(one.line()));
      }
    }
    List<Summary.Line> summary =
        Summary.of(
            rows,
            rounds,
            is(contenders, of -> of.role() == Contender.Role.PEER),
            is(contenders, of -> of.role() == Contender.Role.PEER && of.pool() && !defaults),
            is(contenders, of -> of.role() == Contender.Role.FLOOR),
            reference);
    try (PrintWriter csv = writer(folder.resolve("summary.csv"));
        PrintWriter table = writer(folder.resolve("table.txt"))) {
      Report.summaryCsv(summary, csv);
      if (defaults) {
        table.println("Every server with the defaults of its library.");
      }
      Report.table(summary, rows, table);
      Report.atRest(rests, table);
    }
    System.out.print(Files.readString(folder.resolve("table.txt"), StandardCharsets.UTF_8));
    System.out.println();
    System.out.println(folder);
  }

  private static Predicate<String> is(List<Contender> contenders, Predicate<Contender> what) {
    return server ->
        contenders.stream().filter(what).anyMatch(contender -> contender.id().equals(server));
  }

  private Settings settings() {
    int last = Runtime.getRuntime().availableProcessors() - 1;
    return new Settings(
        home,
        defaults ? Optional.empty() : Optional.of(new ThreadCounts(workers, selectors)),
        millis(seconds),
        millis(lead),
        millis(warmup),
        Math.round(atRest * 1000),
        LoadKind.of(openLoop),
        List.of("-Xms" + heap, "-Xmx" + heap, "-XX:+UseParallelGC"),
        pin ? "0-" + (last - 1) : "",
        pin ? Integer.toString(last) : "");
  }

  private static long millis(double seconds) {
    return Math.max(1, Math.round(seconds * 1000));
  }

  private static PrintWriter writer(Path file) throws IOException {
    return new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8));
  }
}
