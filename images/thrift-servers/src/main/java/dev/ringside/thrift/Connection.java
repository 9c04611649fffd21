package dev.ringside.thrift;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.server.ServerContext;
import org.apache.thrift.server.TServerEventHandler;
import org.apache.thrift.transport.TNonblockingTransport;
import org.apache.thrift.transport.TTransport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: reads frames, runs their requests in order, sends the replies.
 *
 * <p>At any time one thread at most serves it; see {@link Ownership}. All fields belong to that
 * thread.
 */
final class Connection extends Ownership {
  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(TDisruptorServer.class);

  /** Quick requests in a row after which no worker lingers with the connection. */
  private static final int MAX_QUICK_RUNS = 16;

  /** Reads in a row before others have their turn. */
  private static final int MAX_ROUNDS = 4;

  private final transient TDisruptorServer server;
  private final transient Options options;
  private transient EventLoop loop;
  private final transient TNonblockingTransport transport;
  private final transient SocketChannel channel;
  private transient SelectionKey key;
  private final transient SocketAddress client;
  private final transient Wire wire;

  private final transient FrameInput in;
  private final transient FrameOutput out;
  private final transient boolean raw;
  private transient TTransport inTransport;
  private transient TTransport outTransport;
  private transient TProtocol inProtocol;
  private transient TProtocol outProtocol;
  private transient TProcessor processor;
  private transient ServerContext context;

  /** Received and not run yet: {@code held[heldFrom, heldTo)}. Null if there is nothing. */
  private transient byte[] held;

  private int heldFrom;
  private int heldTo;

  /** Bytes of the read budget that this connection has for what it holds. */
  private int reserved;

  /** Whether it is the one that may go on though the read budget is used up. */
  private boolean exempt;

  /**
   * Replied and not sent yet: {@code unsent[unsentFrom, unsent.length)}. Null if there is nothing.
   */
  private transient byte[] unsent;

  private int unsentFrom;

  private transient MethodHabits lastMethod;
  private int quickRuns;
  private boolean closeWhenSent;
  private boolean opened;
  private boolean closed;

  /** System.nanoTime() when the last bytes came or went. */
  private long lastActive;

  /** System.nanoTime() when this was handed off; set by who hands it off. */
  long handedOffAt;

  /** For the loop: whether the connection is in its queue of those that have more to read. */
  boolean queuedAgain;

  /** What the owner's serving came to; for the loop that gets the connection back. */
  transient Outcome outcome = Outcome.IDLE;

  Connection(
      TDisruptorServer server, EventLoop loop, TNonblockingTransport transport, SelectionKey key)
      throws IOException {
    this.server = server;
    this.options = server.options();
    this.loop = loop;
    this.transport = transport;
    this.key = key;
    this.channel = (SocketChannel) key.channel();
    this.client = channel.getRemoteAddress();
    this.raw = server.raw();
    this.in = new FrameInput(raw, options.maxFrameBytes);
    this.out = new FrameOutput(raw, options.maxFrameBytes);
    this.wire = server.wire(channel);
    this.lastActive = System.nanoTime();
  }

  /**
   * Sets up protocols and tells the listeners. Any failure is for the caller to close the
   * connection.
   */
  void open() throws TException {
    server.metrics().accepted.increment();
    opened = true;
    options.listener.opened(client);
    newProtocols();
    processor = server.processorFactory().getProcessor(transport);
    if (Libthrift.isAsync(processor)) {
      throw new TException(TDisruptorServer.NO_ASYNC);
    }
    TServerEventHandler events = server.getEventHandler();
    if (events != null) {
      context = events.createContext(inProtocol, outProtocol);
    }
  }

  /** Protocols and transports without memory of what came before. */
  private void newProtocols() throws TException {
    inTransport = raw ? Libthrift.wrap(server.inputTransportFactory(), in) : in;
    outTransport = raw ? Libthrift.wrap(server.outputTransportFactory(), out) : out;
    inProtocol = server.inputProtocolFactory().getProtocol(inTransport);
    outProtocol = server.outputProtocolFactory().getProtocol(outTransport);
  }

  /** Moves to another loop, with the key that it has there. For the thread that serves it. */
  void moveTo(EventLoop newLoop, SelectionKey newKey) {
    loop = newLoop;
    key = newKey;
  }

  EventLoop loop() {
    return loop;
  }

  SelectionKey key() {
    return key;
  }

  SocketChannel channel() {
    return channel;
  }

  SocketAddress client() {
    return client;
  }

  boolean hasUnsent() {
    return unsent != null || wire.hasUnsent();
  }

  /** Whether it waits for its client to go on: to read replies, or to send the rest of a frame. */
  boolean isStalled() {
    return hasUnsent() || held != null;
  }

  /** Whether it is worth a thread's wait: its requests block, as far as the last ones tell. */
  boolean mayLinger() {
    return quickRuns < MAX_QUICK_RUNS && !isStalled();
  }

  long lastActive() {
    return lastActive;
  }

  /**
   * Serves the connection: sends what is unsent, runs what is held, reads, runs, replies.
   *
   * @param inline true on the thread that leads the loop, which must not run a request that may
   *     block
   */
  Outcome serve(Io io, boolean inline) {
    out.lend(io.replies);
    try {
      return serveOpen(io, inline);
    } catch (IOException e) {
      LOG.debug("connection of {} broke: {}", client, e.toString());
      return Outcome.CLOSED;
    } catch (Throwable e) {
      LOG.error("connection of {} is closed after an unexpected failure", client, e);
      return Outcome.CLOSED;
    } finally {
      io.replies.clear();
      out.lend(null);
      in.clear();
      if (held == null) {
        endExemption();
      }
    }
  }

  private Outcome serveOpen(Io io, boolean inline) throws IOException {
    if (server.stopDeadlinePassed()) {
      return Outcome.CLOSED;
    }
    if (!sendUnsent(io)) {
      return Outcome.WRITE_BLOCKED;
    }
    if (held != null) {
      Outcome stopped = run(io, held, heldFrom, heldTo, inline);
      if (stopped != null) {
        return stopped;
      }
    }
    for (int round = 0; round < MAX_ROUNDS; round++) {
      if (server.isStopping()) {
        return Outcome.IDLE;
      }
      if (!mayRead()) {
        return Outcome.STARVED;
      }
      int count = wire.read(io);
      if (count <= 0) {
        return count == 0 ? readNothing(io) : Outcome.CLOSED;
      }
      lastActive = io.now;
      server.metrics().bytesRead.add(count);
      Outcome stopped = runReceived(io, count, inline);
      if (stopped != null) {
        return stopped;
      }
      if (!wire.hasMore(io, count)) {
        // If more comes meanwhile, the selector says so.
        return readNothing(io);
      }
    }
    return Outcome.MORE;
  }

  private Outcome readNothing(Io io) throws IOException {
    return wire.flush(io) ? Outcome.IDLE : Outcome.WRITE_BLOCKED;
  }

  private Outcome runReceived(Io io, int count, boolean inline) throws IOException {
    if (held == null) {
      io.netIn.get(io.in, 0, count);
      return run(io, io.in, 0, count, inline);
    }
    hold(io.netIn, count);
    return run(io, held, heldFrom, heldTo, inline);
  }

  /**
   * Runs the whole frames in {@code bytes[from, to)}, sends their replies, and holds the rest.
   *
   * @return null if every whole frame has been run and answered
   */
  private Outcome run(Io io, byte[] bytes, int from, int to, boolean asLeader) throws IOException {
    boolean inline = asLeader;
    int at = from;
    Outcome stopped = null;
    int inlineRuns = 0;
    int handedOffRuns = 0;
    long began = io.now;
    boolean fresh = false;
    while (to - at >= Frames.HEADER) {
      int length = Frames.length(bytes, at);
      if (!Frames.isValid(length, options.maxFrameBytes)) {
        LOG.warn(
            "{} announced a frame of {} bytes (limit {}): not a framed client, or too large a request;"
                + " closing",
            client,
            length,
            options.maxFrameBytes);
        server.metrics().badFrames.increment();
        at = to;
        stopped = Outcome.CLOSED;
        break;
      }
      int end = at + Frames.HEADER + length;
      if (end > to || end < 0) {
        break;
      }
      io.header.parse(bytes, at + Frames.HEADER, end);
      MethodHabits method = method(bytes, io.header);
      if (inline && method.handOff()) {
        stopped = Outcome.HAND_OFF;
        break;
      }
      if (!fresh) {
        began = System.nanoTime();
        fresh = true;
      }
      if (inline) {
        io.running.lazySet(method);
      }
      boolean suspicious = inline && method.isSuspicious();
      long cpuBegan = suspicious ? CpuClock.nanos() : 0;
      boolean ok = execute(io, bytes, at, end);
      long ended = System.nanoTime();
      io.now = ended;
      io.progressed();
      if (inline) {
        inlineRuns++;
        if (io.leadership.isDeposed()) {
          inline = false;
        } else {
          method.ranInline(ended - began, suspicious ? CpuClock.nanos() - cpuBegan : -1);
        }
      } else {
        handedOffRuns++;
        quickRuns = method.handOff() ? 0 : quickRuns + 1;
        method.ranHandedOff(ended - began);
      }
      server.metrics().handlerNanos.add(ended - began);
      began = ended;
      at = end;
      if (!ok) {
        at = to;
        stopped = Outcome.CLOSED;
        break;
      }
      if (io.replies.size() >= io.netOut.capacity() && !send(io)) {
        stopped = Outcome.WRITE_BLOCKED;
        break;
      }
    }
    if (inlineRuns > 0) {
      io.running.lazySet(null);
      server.metrics().inlineRequests.add(inlineRuns);
    }
    if (handedOffRuns > 0) {
      server.metrics().handedOffRequests.add(handedOffRuns);
    }
    keep(bytes, at, to);
    if (!send(io)) {
      closeWhenSent |= stopped == Outcome.CLOSED;
      return Outcome.WRITE_BLOCKED;
    }
    return stopped;
  }

  private MethodHabits method(byte[] bytes, MessageHeader header) {
    MethodHabits method = lastMethod;
    if (method == null || !method.matches(bytes, header.nameFrom(), header.nameTo())) {
      method = server.methods().find(bytes, header.nameFrom(), header.nameTo());
      lastMethod = method;
    }
    return method;
  }

  /** Runs one request and writes its reply; false if the connection is to be closed after that. */
  private boolean execute(Io io, byte[] bytes, int at, int end) {
    int mark = io.replies.size();
    try {
      point(bytes, at, end, io.header.headerEnd());
      out.begin();
      options.listener.beforeRequest(client);
      TServerEventHandler events = server.getEventHandler();
      if (events != null) {
        events.processContext(context, inTransport, outTransport);
      }
      boolean more = Libthrift.process(processor, inProtocol, outProtocol);
      out.end();
      return more;
    } catch (TException e) {
      // What libthrift's servers do: the message was not understood, so nothing after it will be.
      LOG.warn(
          "closing the connection of {} after a request that failed: {}", client, e.toString());
      server.metrics().badFrames.increment();
      io.replies.rewind(mark);
      return false;
    } catch (Throwable e) {
      server.metrics().handlerFailures.increment();
      LOG.error("a request of {} failed", client, e);
      io.replies.rewind(mark);
      boolean fatal = e instanceof VirtualMachineError && !(e instanceof StackOverflowError);
      return !fatal && answerFailure(io, bytes, at, end, mark);
    } finally {
      // A handler that leaves its thread interrupted would close the channel at the next read.
      Thread.interrupted();
    }
  }

  private void point(byte[] bytes, int at, int end, int headerEnd) {
    if (raw) {
      in.reset(bytes, at, end, at);
    } else {
      in.reset(bytes, at + Frames.HEADER, end, headerEnd);
    }
  }

  /** Tells the client that the handler failed, as the newest generated code does on its own. */
  private boolean answerFailure(Io io, byte[] bytes, int at, int end, int mark) {
    try {
      newProtocols();
      point(bytes, at, end, at);
      TMessage request = inProtocol.readMessageBegin();
      if (request.type == TMessageType.ONEWAY) {
        newProtocols();
        return true;
      }
      out.begin();
      outProtocol.writeMessageBegin(
          new TMessage(request.name, TMessageType.EXCEPTION, request.seqid));
      new TApplicationException(
              TApplicationException.INTERNAL_ERROR, "Internal error processing " + request.name)
          .write(outProtocol);
      outProtocol.writeMessageEnd();
      outTransport.flush();
      out.end();
      // These have read half a message.
      newProtocols();
      return true;
    } catch (TException | RuntimeException e) {
      LOG.debug("cannot tell {} that its request failed", client, e);
      io.replies.rewind(mark);
      return false;
    }
  }

  /** Sends what the thread's reply buffer has; false if the client does not take all of it now. */
  private boolean send(Io io) throws IOException {
    ReplyBuffer replies = io.replies;
    int size = replies.size();
    if (size == 0) {
      return true;
    }
    int sent = wire.write(io, replies.bytes(), 0, size);
    server.metrics().bytesWritten.add(sent);
    if (sent < size) {
      unsent = Arrays.copyOfRange(replies.bytes(), sent, size);
      unsentFrom = 0;
      lastActive = io.now;
    }
    replies.clear();
    return unsent == null;
  }

  private boolean sendUnsent(Io io) throws IOException {
    if (unsent != null) {
      int sent = wire.write(io, unsent, unsentFrom, unsent.length);
      server.metrics().bytesWritten.add(sent);
      unsentFrom += sent;
      if (sent > 0) {
        lastActive = io.now;
      }
      if (unsentFrom < unsent.length) {
        return false;
      }
      unsent = null;
      if (closeWhenSent) {
        throw new IOException("closed after its last reply");
      }
    }
    return wire.flush(io);
  }

  /** Whether the read budget allows another read. */
  private boolean mayRead() {
    ReadBudget budget = server.budget();
    if (held == null ? budget.hasRoomToBegin() : budget.hasRoom()) {
      return true;
    }
    exempt |= budget.tryExempt(this);
    return exempt;
  }

  /** Holds {@code bytes[from, to)}, which may be what is held already. */
  private void keep(byte[] bytes, int from, int to) {
    if (from == to) {
      dropHeld();
    } else if (bytes != held) {
      hold(ByteBuffer.wrap(bytes, from, to - from), to - from);
    } else if (to - from < held.length / 4) {
      // A large frame is done with: do not hold its memory for the little that came after it.
      dropHeld();
      hold(ByteBuffer.wrap(bytes, from, to - from), to - from);
    } else {
      heldFrom = from;
    }
  }

  /** Appends bytes to what is held. */
  private void hold(ByteBuffer bytes, int count) {
    int have = heldTo - heldFrom;
    if (held == null || held.length - heldTo < count) {
      byte[] larger =
          new byte[Frames.capacity(held, heldFrom, heldTo, count, options.maxFrameBytes)];
      if (held != null) {
        System.arraycopy(held, heldFrom, larger, 0, have);
      }
      held = larger;
      heldFrom = 0;
      heldTo = have;
      if (held.length > reserved) {
        server.budget().add(held.length - reserved);
        reserved = held.length;
      }
    }
    bytes.get(held, heldTo, count);
    heldTo += count;
  }

  private void dropHeld() {
    if (held != null) {
      held = null;
      heldFrom = 0;
      heldTo = 0;
      server.budget().add(-reserved);
      reserved = 0;
      endExemption();
      server.memoryShortage().eased();
    }
  }

  private void endExemption() {
    if (exempt) {
      exempt = false;
      server.budget().endExemption(this);
      server.memoryShortage().eased();
    }
  }

  /** Ends the connection. Only for the thread that serves it; further calls do nothing. */
  void close(Io io) {
    if (closed) {
      return;
    }
    closed = true;
    dropHeld();
    unsent = null;
    try {
      wire.end(io);
    } catch (IOException | RuntimeException e) {
      LOG.trace("no goodbye to {}", client, e);
    }
    try {
      transport.close();
    } catch (RuntimeException e) {
      LOG.debug("closing the connection of {} failed", client, e);
    }
    loop.connectionEnded();
    if (!opened) {
      return;
    }
    server.metrics().closed.increment();
    TServerEventHandler events = server.getEventHandler();
    if (events != null && outProtocol != null) {
      try {
        events.deleteContext(context, inProtocol, outProtocol);
      } catch (RuntimeException e) {
        LOG.error("deleteContext failed for {}", client, e);
      }
    }
    try {
      options.listener.closed(client);
    } catch (RuntimeException e) {
      LOG.error("the connection listener failed for {}", client, e);
    }
    processor = null;
    inProtocol = null;
    outProtocol = null;
    context = null;
  }

  /**
   * Ends the connection with its last replies intact: the client sees them and then the end of the
   * stream, even if it has sent what will not be read any more.
   */
  void closeGracefully(Io io) {
    try {
      wire.end(io);
      channel.shutdownOutput();
      do {
        io.netIn.clear();
      } while (channel.read(io.netIn) > 0);
    } catch (IOException | RuntimeException e) {
      LOG.trace("{} was gone before the server said goodbye", client, e);
    }
    close(io);
  }

  /** Breaks the connection from any thread. Its owner finds out and closes it. */
  void abort() {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.trace("aborting the connection of {} failed", client, e);
    }
  }
}
