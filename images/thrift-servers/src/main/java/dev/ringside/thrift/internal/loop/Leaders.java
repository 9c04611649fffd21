package dev.ringside.thrift.internal.loop;

/** Lets threads lead event loops. Thread-safe. */
public final class Leaders {
  private final ServerRun run;
  private final Drain drain;
  private final Alarm alarm;
  private final EventLoops loops;
  private final WorkerPool workers;
  private final ConnectionFactory connections;

  public Leaders(
      ServerRun run,
      Drain drain,
      Alarm alarm,
      EventLoops loops,
      WorkerPool workers,
      ConnectionFactory connections) {
    this.run = run;
    this.drain = drain;
    this.alarm = alarm;
    this.loops = loops;
    this.workers = workers;
    this.connections = connections;
  }

  /**
   * Leads a loop on the current thread until the thread is deposed or the server has stopped. A
   * deposed thread finishes serving the connection that cost it the loop before it returns. If the
   * thread fails, the loop gets another leader.
   */
  public void lead(EventLoop loop, Worker worker) {
    Leadership mine = null;
    try {
      Io io = worker.io();
      mine = new Leadership(loop, io, alarm);
      io.leadership = mine;
      loop.ledBy(mine);
      BackPressure backPressure =
          new BackPressure(workers, loop.deferred().forRoom(), run.metrics.backpressureNanos);
      new Leader(run, mine, worker, members(loop, io), sweep(loop, io), backPressure).lead();
    } finally {
      if (!loop.isFinished() && (mine == null || !mine.isDeposed())) {
        workers.lead(loop);
      }
    }
  }

  /** Returns what adds connections to a loop and gives them away. For the loop's leader. */
  public LoopMembers members(EventLoop loop, Io io) {
    return new LoopMembers(run, connections, loops, loop, io);
  }

  /** Returns what closes connections of a loop. For the loop's leader. */
  public LoopSweep sweep(EventLoop loop, Io io) {
    return new LoopSweep(run, drain, workers, loops, loop, io);
  }
}
