package dev.ringside.bench.run;

import dev.ringside.bench.client.WindowResult;
import dev.ringside.bench.stats.Cost;
import dev.ringside.bench.stats.LoadGenerator;
import dev.ringside.bench.stats.Measured;
import dev.ringside.bench.stats.Ran;
import dev.ringside.bench.stats.Row;
import dev.ringside.bench.stats.Throughput;
import dev.ringside.bench.stats.Times;
import dev.ringside.bench.wire.Handler;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

/**
 * Takes the measurements of a plan. Every round has fresh processes of all servers, each warmed up;
 * those not under load wait. A server that fails is measured again from a fresh process in its next
 * cell, and the failure is a row of its own.
 */
final class Race implements AutoCloseable {
  private static final double MICRO = 1e-3;

  /** What a window may take beyond its length: a last reply, the stall that the client allows. */
  private static final long GRACE_SECONDS = 40;

  private static final int SYSCALL_WINDOW_MILLIS = 500;

  private final Settings settings;
  private final Processes processes;
  private final SyscallCounter syscalls;
  private final Map<Contender, ServerProcess> servers = new LinkedHashMap<>();
  private final Map<Contender, Long> processorBytes = new LinkedHashMap<>();
  private LineProcess client;
  private ServerProcess peer;
  private long burnSteps;

  Race(Settings settings, Processes processes, SyscallCounter syscalls) {
    this.settings = settings;
    this.processes = processes;
    this.syscalls = syscalls;
  }

  /** Takes one measurement after the other and hands each to {@code done}. */
  void run(List<Plan.Step> steps, BiConsumer<Plan.Step, Row> done)
      throws IOException, InterruptedException {
    boolean asksPeer = steps.stream().anyMatch(step -> step.cell().handler().asksPeer());
    int round = 0;
    for (Plan.Step step : steps) {
      if (step.round() != round) {
        round = step.round();
        close();
        client = processes.client();
        peer = asksPeer ? processes.peer() : null;
      }
      measure(step, done);
    }
  }

  /** The closed loop first: its rate is what the open ones are measured by. */
  private void measure(Plan.Step step, BiConsumer<Plan.Step, Row> done)
      throws InterruptedException {
    double capacity = 0;
    String fault = null;
    for (LoadKind load : settings.loads()) {
      Row row =
          fault == null ? measure(step, load, capacity) : Row.failed(measured(step, load), fault);
      done.accept(step, row);
      fault = row.fault();
      if (!load.isOpen()) {
        capacity = row.throughput().capacity();
      }
    }
  }

  private Row measure(Plan.Step step, LoadKind load, double capacity) throws InterruptedException {
    Contender contender = step.contender();
    try {
      ServerProcess server = servers.get(contender);
      if (server == null) {
        server = start(contender);
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

  private ServerProcess start(Contender contender) throws IOException, InterruptedException {
    ServerProcess server = processes.server(contender);
    servers.put(contender, server);
    if (!contender.isPlainEcho()) {
      if (burnSteps == 0) {
        burnSteps = server.number("calibrate");
      }
      server.ask("steps " + burnSteps);
      if (peer != null) {
        server.ask("peer " + peer.port());
      }
      if (!processorBytes.containsKey(contender)) {
        processorBytes.put(contender, server.number("processor"));
      }
    }
    int connections = Math.min(16, contender.maxConnections());
    for (int depth : new int[] {8, 1}) {
      open(server, contender, new Cell(Handler.AT_ONCE, connections, depth));
      window(settings.warmupMillis() / 2, false);
      askClient("close", GRACE_SECONDS);
    }
    return server;
  }

  private Row measure(Plan.Step step, ServerProcess server, LoadKind load, double rate)
      throws Exception {
    Cell cell = step.cell();
    open(server, step.contender(), cell);
    window(load, settings.leadMillis(), rate, false);
    long allocatedBefore = server.number("allocated");
    MachineTimes machineBefore = MachineTimes.now();
    long cpuBefore = server.cpuNanos();
    WindowResult result = window(load, settings.windowMillis(), rate, cell.handler().turns());
    long cpu = server.cpuNanos() - cpuBefore;
    double steal = MachineTimes.now().stealSince(machineBefore);
    long threads = server.number("threads");
    long allocated = server.number("allocated") - allocatedBefore;
    double perRequest = load.isOpen() ? Double.NaN : syscallsPerRequest(server, cell);
    askClient("close", GRACE_SECONDS);
    double bytes = (double) allocated / result.total();
    return new Row(
        measured(step, load),
        null,
        new Ran(server.serverClass(), server.build(), threads, steal),
        new Throughput(
            result.total(), result.rate(), result.turnedRate(), load.isOpen() ? rate : Double.NaN),
        Times.of(result.all()),
        Times.of(result.quick()),
        new Cost(
            cpu * MICRO / result.total(),
            bytes,
            Math.max(0, bytes - processorBytes.getOrDefault(step.contender(), 0L)),
            perRequest),
        new LoadGenerator(
            result.clientBusy(),
            result.clientWaiting(),
            load.isOpen() ? result.lateP99Nanos() * MICRO : Double.NaN));
  }

  /** In a window of its own, because counting costs time. */
  private double syscallsPerRequest(ServerProcess server, Cell cell) throws Exception {
    if (syscalls.tool() == SyscallCounter.Tool.NONE) {
      return Double.NaN;
    }
    WindowResult[] result = new WindowResult[1];
    OptionalLong count =
        syscalls.during(
            server.pid(), () -> result[0] = window(SYSCALL_WINDOW_MILLIS, cell.handler().turns()));
    return count.isPresent() ? (double) count.getAsLong() / result[0].total() : Double.NaN;
  }

  private void open(ServerProcess server, Contender contender, Cell cell)
      throws IOException, InterruptedException {
    askClient(
        String.join(
            " ",
            "open",
            Integer.toString(server.port()),
            Integer.toString(cell.connections()),
            Integer.toString(cell.depth()),
            cell.handler().id(),
            Boolean.toString(contender.isPlainEcho())),
        GRACE_SECONDS);
  }

  private WindowResult window(LoadKind load, long millis, double rate, boolean turning)
      throws IOException, InterruptedException {
    if (!load.isOpen()) {
      return window(millis, turning);
    }
    // What is due and not answered in time is answered after it, at full speed.
    return WindowResult.parse(
        askClient(
            String.join(
                " ",
                "open-window",
                Long.toString(millis),
                Boolean.toString(turning),
                Double.toString(rate)),
            2 * millis / 1000 + GRACE_SECONDS));
  }

  private WindowResult window(long millis, boolean turning)
      throws IOException, InterruptedException {
    return WindowResult.parse(
        askClient("window " + millis + " " + turning, millis / 1000 + GRACE_SECONDS));
  }

  private String askClient(String order, long seconds) throws IOException, InterruptedException {
    String answer;
    try {
      answer = client.ask(order, seconds);
    } catch (IOException e) {
      client.close();
      client = processes.client();
      throw e;
    }
    if (!answer.startsWith("ok")) {
      throw new IOException(answer);
    }
    return answer.substring("ok".length()).trim();
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
    if (client != null) {
      client.close();
      client = null;
    }
  }
}
