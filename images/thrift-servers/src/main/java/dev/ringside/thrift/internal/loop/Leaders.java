package dev.ringside.thrift.internal.loop;

/** Lets threads lead event loops. Thread-safe. */
public final class Leaders {
  private final ServerRun run;
  private final Drain drain;
  private final Alarm alarm;
  private final WorkerPool workers;
  private final ConnectionFactory connections;

  public Leaders(
      ServerRun run, Drain drain, Alarm alarm, WorkerPool workers, ConnectionFactory connections) {
    this.run = run;
    this.drain = drain;
    this.alarm = alarm;
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
      new Leader(run, mine, worker, members(loop, io), sweep(loop, io)).lead();
    } finally {
      if (!loop.isFinished() && (mine == null || !mine.isDeposed())) {
        workers.lead(loop);
      }
    }
  }

  public LoopMembers members(EventLoop loop, Io io) {
    return new LoopMembers(run, connections, workers, loop, io);
  }

  public LoopSweep sweep(EventLoop loop, Io io) {
    return new LoopSweep(run, drain, workers, loop, io);
  }
}
