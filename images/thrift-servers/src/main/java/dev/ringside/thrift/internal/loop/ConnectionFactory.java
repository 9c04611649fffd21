package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.habits.MethodTable;
import dev.ringside.thrift.internal.wire.Inbox;
import dev.ringside.thrift.internal.wire.Outbox;
import dev.ringside.thrift.internal.wire.ReadBudget;
import dev.ringside.thrift.internal.wire.UnsentBytes;
import dev.ringside.thrift.internal.wire.Wire;
import dev.ringside.thrift.internal.wire.WireFactory;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.apache.thrift.transport.TNonblockingTransport;

/** Creates the connections of a server, which share what is learned of its methods and hooks. */
public final class ConnectionFactory {
  private final ServerRun run;
  private final Factories factories;
  private final WireFactory wires;
  private final ReadBudget budget;
  private final WorkerPool workers;
  private final UnsentBytes unsentBytes;
  private final MethodTable methods;
  private final Watched hooks;
  private final Watched handshakes;

  public ConnectionFactory(
      ServerRun run,
      Factories factories,
      WireFactory wires,
      ReadBudget budget,
      WorkerPool workers) {
    this.run = run;
    this.factories = factories;
    this.wires = wires;
    this.budget = budget;
    this.workers = workers;
    this.unsentBytes = new UnsentBytes(run.options.maxReadBufferBytes);
    this.methods = new MethodTable(run.options.inlineLimitNanos);
    this.hooks = new Watched(run.options.inlineLimitNanos);
    this.handshakes = new Watched(run.options.inlineLimitNanos);
  }

  /** Creates the connection of a new client, which a loop watches with that key. */
  public Connection connection(EventLoop loop, TNonblockingTransport transport, SelectionKey key)
      throws IOException {
    SocketChannel channel = (SocketChannel) key.channel();
    Wire wire = wires.wire(channel);
    Inbox inbox = new Inbox(budget, run.options.maxFrameBytes);
    Outbox outbox = new Outbox(wire, run.metrics, unsentBytes, run.largeBuffers);
    Link link = new Link(transport, channel, wire, inbox, outbox);
    Session session = new Session(run, factories, link);
    RequestRunner runner = new RequestRunner(run, workers, methods, link, session);
    return new Connection(run, hooks, handshakes, loop, key, link, session, runner);
  }

  /** Returns the memory for replies that clients have not read. */
  public UnsentBytes unsentBytes() {
    return unsentBytes;
  }
}
