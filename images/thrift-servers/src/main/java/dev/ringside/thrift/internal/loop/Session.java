package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.ConnectionListener;
import dev.ringside.thrift.internal.metrics.CloseReason;
import dev.ringside.thrift.internal.metrics.Failure;
import dev.ringside.thrift.internal.metrics.Failures;
import dev.ringside.thrift.internal.wire.FramePipe;
import dev.ringside.thrift.internal.wire.Frames;
import dev.ringside.thrift.internal.wire.Libthrift;
import dev.ringside.thrift.internal.wire.ReplyBuffer;
import dev.ringside.thrift.internal.wire.Wire;
import dev.ringside.thrift.internal.work.ServerThread;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import javax.net.ssl.SSLSession;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.server.ServerContext;
import org.apache.thrift.server.TServerEventHandler;
import org.apache.thrift.transport.TNonblockingTransport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the requests of one connection with its processor, its protocols and its hooks. For the
 * thread that serves the connection.
 */
public final class Session {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.LOGGER);

  private final ServerRun run;
  private final SocketAddress client;
  private final TNonblockingTransport transport;
  private final Wire wire;
  private final ConnectionListener listener;
  private final boolean raw;
  private final FramePipe pipe;
  private Factories.@Nullable Protocols protocols;
  private @Nullable TProcessor processor;

  private boolean begun;
  private boolean securedTold;
  private boolean listenerTold;
  private @Nullable TServerEventHandler contextMaker;
  private @Nullable ServerContext context;

  public Session(ServerRun run, SocketAddress client, TNonblockingTransport transport, Wire wire) {
    this.run = run;
    this.client = client;
    this.transport = transport;
    this.wire = wire;
    this.listener = run.options.listener;
    this.raw = run.factories.raw;
    this.pipe = new FramePipe(raw, run.options.maxFrameBytes);
  }

  public boolean hasBegun() {
    return begun;
  }

  /** Calls the hooks and sets up protocols. If that fails, {@link #end} must still be called. */
  public void begin() throws TException {
    begun = true;
    run.metrics.accepted.increment();
    ServerThread.beginUserCode();
    try {
      listener.opened(client);
      listenerTold = true;
      Factories.Protocols fresh = newProtocols();
      processor = run.factories.processor(transport);
      TServerEventHandler events = run.factories.events();
      if (events != null) {
        context = events.createContext(fresh.in, fresh.out);
        contextMaker = events;
        Libthrift.tellAddress(context, client);
      }
    } finally {
      ServerThread.endUserCode();
    }
  }

  /** Calls the end of each hook with a completed beginning, whatever another hook throws. */
  public void end() {
    ServerThread.beginUserCode();
    try {
      callEndHooks();
    } finally {
      ServerThread.endUserCode();
    }
    listenerTold = false;
    contextMaker = null;
    context = null;
    processor = null;
    protocols = null;
  }

  private void callEndHooks() {
    if (contextMaker != null && protocols != null) {
      try {
        contextMaker.deleteContext(context, protocols.in, protocols.out);
      } catch (Throwable e) {
        // A user's code. The other hook must run.
        run.metrics.failures.add(Failure.DELETE_CONTEXT, client, "", e);
      }
    }
    if (listenerTold) {
      try {
        listener.closed(client);
      } catch (Throwable e) {
        // A user's code. The connection must end.
        run.metrics.failures.add(Failure.LISTENER, client, "", e);
      }
    }
  }

  /** Lends the buffer of the serving thread to the session. */
  public void lend(ReplyBuffer replies) {
    pipe.lend(replies);
  }

  /** Takes the buffer back, so that an idle connection holds no thread's buffers. */
  public void takeBack() {
    pipe.clear();
  }

  /** Creates protocols and transports without state of earlier requests. */
  private Factories.Protocols newProtocols() throws TException {
    Factories.Protocols fresh = run.factories.protocols(pipe);
    protocols = fresh;
    return fresh;
  }

  /**
   * Runs the request in the frame {@code bytes[at, end)} and writes its reply. An exception of the
   * listener's {@link ConnectionListener#secured} is passed on; the connection must then be closed.
   *
   * @return false if the connection must be closed after that
   */
  public boolean run(Io io, Connection connection, byte[] bytes, int at, int end) {
    ServerThread.beginUserCode();
    try {
      if (!securedTold) {
        tellSecured();
        securedTold = true;
      }
      return process(io, connection, bytes, at, end);
    } finally {
      ServerThread.endUserCode();
    }
  }

  private boolean process(Io io, Connection connection, byte[] bytes, int at, int end) {
    int mark = io.replies.size();
    boolean listens = listener != ConnectionListener.NONE;
    String method = listens ? name(connection, io, bytes) : "";
    long began = listens ? System.nanoTime() : 0;
    try {
      Factories.Protocols own = Objects.requireNonNull(protocols);
      point(bytes, at, end, isWholeArray(io, bytes, at, end) ? end : io.header.headerEnd());
      pipe.begin();
      listener.beforeRequest(client, method);
      if (contextMaker != null) {
        contextMaker.processContext(context, own.inTransport, own.outTransport);
      }
      boolean more = Libthrift.process(Objects.requireNonNull(processor), own.in, own.out);
      pipe.end();
      tellEnd(method, ConnectionListener.Outcome.ANSWERED, began);
      if (!more) {
        connection.closes(CloseReason.PROCESSOR, "");
      }
      return more;
    } catch (TException e) {
      // Closes the connection as libthrift's servers do: after a message that was not understood,
      // later bytes cannot be either.
      connection.closes(CloseReason.BAD_MESSAGE, e.toString());
      io.replies.rewind(mark);
      tellEnd(method, ConnectionListener.Outcome.UNREADABLE, began);
      return false;
    } catch (Throwable e) {
      // A handler may throw anything, which concerns its request only.
      run.metrics.handlerFailures.add(
          Failure.REQUEST, client, Objects.requireNonNull(connection.lastMethod).name(), e);
      io.replies.rewind(mark);
      boolean fatal = e instanceof VirtualMachineError && !(e instanceof StackOverflowError);
      if (fatal
          || !answer(
              io,
              bytes,
              at,
              end,
              TApplicationException.INTERNAL_ERROR,
              "Internal error processing ")) {
        connection.closes(CloseReason.FAILURE, "");
        fatal = true;
      }
      tellEnd(method, ConnectionListener.Outcome.FAILED, began);
      return !fatal;
    }
  }

  /** Returns the method's name, for a listener; empty if the protocol does not show it. */
  private static String name(Connection connection, Io io, byte[] bytes) {
    String known = Objects.requireNonNull(connection.lastMethod).name();
    int from = io.header.nameFrom();
    int length = io.header.nameTo() - from;
    return known.isEmpty() && length > 0
        ? new String(bytes, from, length, StandardCharsets.UTF_8)
        : known;
  }

  private void tellEnd(String method, ConnectionListener.Outcome outcome, long began) {
    if (listener != ConnectionListener.NONE) {
      try {
        listener.afterRequest(client, method, outcome, System.nanoTime() - began);
      } catch (Throwable e) {
        // A user's code. The request has its outcome already.
        run.metrics.failures.add(Failure.LISTENER, client, method, e);
      }
    }
  }

  /**
   * Reports whether the handler may have the memory of a frame: it is larger than the thread's own
   * array and contains nothing else, so the server has no use for it after this request.
   */
  private static boolean isWholeArray(Io io, byte[] bytes, int at, int end) {
    return bytes.length > io.in.length && at == 0 && end == bytes.length;
  }

  private void tellSecured() {
    SSLSession tls = wire.session();
    if (tls != null) {
      listener.secured(client, tls);
    }
  }

  private void point(byte[] bytes, int at, int end, int visibleEnd) {
    if (raw) {
      pipe.reset(bytes, at, end, at);
    } else {
      pipe.reset(bytes, at + Frames.HEADER, end, visibleEnd);
    }
  }

  /**
   * Answers a request whose frame is too large, if its message header is in {@code bytes[at, end)};
   * returns true if there is an answer.
   */
  public boolean refuse(Io io, byte[] bytes, int at, int end) {
    if (raw) {
      return false;
    }
    int before = io.replies.size();
    answer(io, bytes, at, end, TApplicationException.PROTOCOL_ERROR, "The frame is too large of ");
    return io.replies.size() > before;
  }

  /**
   * Answers a request that is not run because it has waited too long; returns false if the
   * connection must be closed after that.
   */
  public boolean expire(Io io, byte[] bytes, int at, int end) {
    return answer(
        io, bytes, at, end, TApplicationException.INTERNAL_ERROR, "Waited too long for a worker: ");
  }

  /** Answers that a request failed, as the newest generated code does on its own. */
  private boolean answer(Io io, byte[] bytes, int at, int end, int type, String what) {
    int mark = io.replies.size();
    ServerThread.beginUserCode();
    try {
      Factories.Protocols fresh = newProtocols();
      point(bytes, at, end, at);
      TMessage request = fresh.in.readMessageBegin();
      boolean isCall = request.type == TMessageType.CALL;
      if (request.type == TMessageType.ONEWAY
          || type == TApplicationException.PROTOCOL_ERROR && !isCall) {
        newProtocols();
        return true;
      }
      pipe.begin();
      fresh.out.writeMessageBegin(
          new TMessage(request.name, TMessageType.EXCEPTION, request.seqid));
      new TApplicationException(type, what + request.name).write(fresh.out);
      fresh.out.writeMessageEnd();
      fresh.outTransport.flush();
      pipe.end();
      // These have read half a message.
      newProtocols();
      return true;
    } catch (TException | RuntimeException e) {
      LOG.debug("cannot tell {} that its request failed", client, e);
      io.replies.rewind(mark);
      return false;
    } finally {
      ServerThread.endUserCode();
    }
  }
}
