package dev.ringside.bench.run;

import dev.ringside.bench.stats.AtRest;
import dev.ringside.bench.stats.Cost;
import dev.ringside.bench.stats.LoadGenerator;
import dev.ringside.bench.stats.Measured;
import dev.ringside.bench.stats.Ran;
import dev.ringside.bench.stats.Row;
import dev.ringside.bench.stats.Throughput;
import dev.ringside.bench.stats.Times;
import dev.ringside.bench.wire.Handler;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Takes the measurements of a plan. Every round has fresh processes of all servers, each warmed up;
 * those that are not under load are idle. A server that fails gets a fresh process for its next
 * cell, and the failure has its own row.
 */
final class Race implements AutoCloseable {
  private static final double MICRO = 1e-3;

  private static final String FIRST_SECOND = "first-second";
  private static final long FIRST_MILLIS = 1000;
  private static final int SYSCALL_WINDOW_MILLIS = 500;

  /** Time from the end of load until a server is at rest, and its JVM has compiled what it ran. */
  private static final int SETTLE_MILLIS = 3000;

  private final Settings settings;
  private final Processes processes;
  private final SyscallCounter syscalls;
  private final Map<Contender, ServerProcess> servers = new LinkedHashMap<>();

  /** Bytes that a server's processor allocates for a call, by the size of its payload. */
  private final Map<Map.Entry<Contender, Integer>, Long> processorBytes = new HashMap<>();

  private final Set<Contender> begun = new HashSet<>();
  private final Set<Handler> handlers = EnumSet.noneOf(Handler.class);
  private ServerProcess peer;
  private long burnSteps;

  Race(Settings settings, Processes processes, SyscallCounter syscalls) {
    this.settings = settings;
    this.processes = processes;
    this.syscalls = syscalls;
  }

  /** Takes one measurement after another and passes each to one of the consumers. */
  void run(List<Plan.Step> steps, BiConsumer<Plan.Step, Row> done, Consumer<AtRest> atRest)
      throws IOException, InterruptedException {
    handlers.clear();
    steps.forEach(step -> handlers.add(step.cell().handler()));
    boolean asksPeer = handlers.stream().anyMatch(Handler::asksPeer);
    int round = 0;
    for (Plan.Step step : steps) {
      if (step.round() != round) {
        round = step.round();
        close();
        begun.clear();
        peer = asksPeer ? processes.peer() : null;
      }
      measure(step, done, atRest);
    }
  }

  /** The closed loop is first, because the rates of open loops are percentages of its rate. */
  private void measure(Plan.Step step, BiConsumer<Plan.Step, Row> done, Consumer<AtRest> atRest)
      throws InterruptedException {
    double capacity = 0;
    String fault = null;
    for (LoadKind load : settings.loads()) {
      Row row =
          fault == null
              ? measure(step, load, capacity, done, atRest)
              : Row.failed(measured(step, load), fault);
      done.accept(step, row);
      fault = row.fault();
      if (!load.isOpen()) {
        capacity = row.throughput().capacity();
      }
    }
  }

  private Row measure(
      Plan.Step step,
      LoadKind load,
      double capacity,
      BiConsumer<Plan.Step, Row> done,
      Consumer<AtRest> atRest)
      throws InterruptedException {
    Contender contender = step.contender();
    try {
      ServerProcess server = servers.get(contender);
      if (server == null) {
        server = processes.server(contender);
        servers.put(contender, server);
        boolean first = begun.add(contender);
        if (first) {
          done.accept(step, firstSecond(step, server));
        }
        prepare(contender, server);
        if (first && settings.restMillis() > 0) {
          atRest.accept(atRest(step, server));
        }
      }
      return measure(step, server, load, load.percent() * capacity / 100);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      forget(contender);
      return Row.failed(measured(step, load), String.valueOf(e.getMessage()));
    }
  }

  private static Measured measured(Plan.Step step, LoadKind load) {
    return new Measured(step.round(), step.contender().id(), step.cell() + "/" + load);
  }

  /** Measures a fresh process's first second without any warm-up. */
  private Row firstSecond(Plan.Step step, ServerProcess server)
      throws IOException, InterruptedException {
    Contender contender = step.contender();
    Cell cell = Plan.firstCell(contender);
    try (LoadProcess client = processes.client(server, contender, cell)) {
      return take(
          contender,
          new Measured(step.round(), contender.id(), cell + "/" + FIRST_SECOND),
          server,
          client,
          LoadKind.CLOSED,
          0,
          FIRST_MILLIS,
          false,
          Double.NaN);
    }
  }

  /** Watches a server that has had load on its connections and has none. */
  private AtRest atRest(Plan.Step step, ServerProcess server)
      throws IOException, InterruptedException {
    Contender contender = step.contender();
    Cell cell = Plan.firstCell(contender);
    try (LoadProcess client = processes.client(server, contender, cell)) {
      client.closed(settings.leadMillis(), false);
      TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
      Activity before = Activity.of(server.pid());
      long start = System.nanoTime();
      TimeUnit.MILLISECONDS.sleep(settings.restMillis());
      Activity after = Activity.of(server.pid());
      double nanos = System.nanoTime() - start;
      return new AtRest(
          step.round(),
          contender.id(),
          cell.connections(),
          (after.cpuNanos() - before.cpuNanos()) / nanos,
          (after.wakeups() - before.wakeups()) * 1e9 / nanos);
    }
  }

  private void prepare(Contender contender, ServerProcess server)
      throws IOException, InterruptedException {
    if (!contender.isPlainEcho()) {
      if (burnSteps == 0) {
        burnSteps = server.number("calibrate");
      }
      server.ask("steps " + burnSteps);
      if (peer != null) {
        server.ask("peer " + peer.port());
      }
      for (Handler handler : handlers) {
        if (!processorBytes.containsKey(payload(contender, handler))) {
          processorBytes.put(
              payload(contender, handler), server.number("processor " + handler.id()));
        }
      }
    }
    warmUp(contender, server);
  }

  private static Map.Entry<Contender, Integer> payload(Contender contender, Handler handler) {
    return Map.entry(contender, handler.payloadBytes());
  }

  private void warmUp(Contender contender, ServerProcess server)
      throws IOException, InterruptedException {
    int connections = Math.min(16, contender.maxConnections());
    for (int depth : new int[] {8, 1}) {
      Cell cell = new Cell(Handler.AT_ONCE, connections, depth);
      try (LoadProcess client = processes.client(server, contender, cell)) {
        client.closed(settings.warmupMillis() / 2, false);
      }
    }
  }

  private Row measure(Plan.Step step, ServerProcess server, LoadKind load, double rate)
      throws Exception {
    Cell cell = step.cell();
    try (LoadProcess client = processes.client(server, step.contender(), cell)) {
      window(client, load, settings.leadMillis(), rate, false);
      Row row =
          take(
              step.contender(),
              measured(step, load),
              server,
              client,
              load,
              rate,
              settings.windowMillis(),
              cell.handler().turns(),
              processorBytes.getOrDefault(payload(step.contender(), cell.handler()), 0L));
      return load.isOpen() ? row : row.withSyscalls(syscallsPerRequest(server, client, cell));
    }
  }

  /** Measures one window on the open connections. */
  private Row take(
      Contender contender,
      Measured measured,
      ServerProcess server,
      LoadProcess client,
      LoadKind load,
      double rate,
      long millis,
      boolean turning,
      double processor)
      throws IOException, InterruptedException {
    server.ask("mark");
    MachineTimes machineBefore = MachineTimes.now();
    long cpuBefore = server.cpuNanos();
    WindowResult result = window(client, load, millis, rate, turning);
    long cpu = server.cpuNanos() - cpuBefore;
    double steal = MachineTimes.now().stealSince(machineBefore);
    long threads = server.number("threads");
    double bytes = server.figure("allocated") / result.total();
    return new Row(
        measured,
        null,
        new Ran(server.serverClass(), server.build(), workers(contender), threads, steal),
        new Throughput(
            result.total(), result.rate(), result.turnedRate(), load.isOpen() ? rate : Double.NaN),
        Times.of(result.all()),
        Times.of(result.quick()),
        new Cost(cpu * MICRO / result.total(), bytes, Math.max(0, bytes - processor), Double.NaN),
        new LoadGenerator(
            result.clientBusy(),
            result.clientWaiting(),
            load.isOpen() ? result.lateP99Nanos() * MICRO : Double.NaN));
  }

  private String workers(Contender contender) {
    return settings
        .threads(contender)
        .map(threads -> Integer.toString(threads.workers()))
        .orElse(Ran.DEFAULT_WORKERS);
  }

  /** Uses a separate window, because counting costs time. */
  private double syscallsPerRequest(ServerProcess server, LoadProcess client, Cell cell)
      throws Exception {
    if (syscalls.tool() == SyscallCounter.Tool.NONE) {
      return Double.NaN;
    }
    WindowResult[] result = new WindowResult[1];
    OptionalLong count =
        syscalls.during(
            server.pid(),
            () -> result[0] = client.closed(SYSCALL_WINDOW_MILLIS, cell.handler().turns()));
    return count.isPresent() ? (double) count.getAsLong() / result[0].total() : Double.NaN;
  }

  private static WindowResult window(
      LoadProcess client, LoadKind load, long millis, double rate, boolean turning)
      throws IOException, InterruptedException {
    return load.isOpen() ? client.open(millis, turning, rate) : client.closed(millis, turning);
  }

  private void forget(Contender contender) {
    ServerProcess server = servers.remove(contender);
    if (server != null) {
      server.close();
    }
  }

  @Override
  public void close() {
    servers.values().forEach(ServerProcess::close);
    servers.clear();
    if (peer != null) {
      peer.close();
      peer = null;
    }
  }
}
