package dev.ringside.cassandra;

import dev.ringside.server.ServerSpec;
import dev.ringside.thrift.ConnectionListener;
import dev.ringside.thrift.TDisruptorServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.ThreadPoolExecutor;
import javax.net.ssl.SSLContext;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.apache.cassandra.config.EncryptionOptions.ClientEncryptionOptions;
import org.apache.cassandra.security.SSLFactory;
import org.apache.cassandra.thrift.TCustomNonblockingServerSocket;
import org.apache.cassandra.thrift.TServerFactory;
import org.apache.thrift.TProcessor;
import org.apache.thrift.server.THsHaServer;
import org.apache.thrift.server.TNonblockingServer;
import org.apache.thrift.server.TServer;
import org.apache.thrift.server.TSimpleServer;
import org.apache.thrift.server.TThreadPoolServer;
import org.apache.thrift.server.TThreadedSelectorServer;
import org.apache.thrift.transport.TServerTransport;
import org.apache.thrift.transport.TTransportException;

/**
 * Builds the servers of a node over its processor. A server that is returned is bound to its port
 * and does not serve yet. All types have the same number of workers and selectors unless an option
 * of one server differs.
 */
final class ServerBuilder {
  private final TServerFactory.Args node;
  private final NodeLimits limits;
  private final ServerOptions options;
  private final Sessions sessions;

  ServerBuilder(TServerFactory.Args node, NodeLimits limits, Settings settings, Sessions sessions) {
    this.node = node;
    this.limits = limits;
    this.options = new ServerOptions(limits, settings);
    this.sessions = sessions;
  }

  /**
   * Returns a server that is bound to its port.
   *
   * @throws IllegalArgumentException with a message of one line if an option is wrong or the port
   *     cannot be bound
   */
  HostedServer build(ServerSpec spec) {
    try {
      switch (spec.type()) {
        case SIMPLE:
          return simple(spec);
        case THREADPOOL:
          return threadPool(spec);
        case NONBLOCKING:
          return nonblocking(spec);
        case HSHA:
          return hsha(spec);
        case THREADEDSELECTOR:
          return threadedSelector(spec);
        case XEDIN:
          return xedin(spec);
        case DISRUPTOR:
          return disruptor(spec);
        default:
          throw new IllegalArgumentException("server type '" + spec.type() + "' cannot be hosted");
      }
    } catch (TTransportException e) {
      throw new IllegalArgumentException(
          String.format(
              "cannot listen on %s:%d for server '%s': is the port in use? (%s)",
              node.addr.getAddress().getHostAddress(), spec.port(), spec.name(), rootMessage(e)),
          e);
    }
  }

  private HostedServer simple(ServerSpec spec) throws TTransportException {
    SessionServerSocket socket = blockingSocket(spec);
    TServer server =
        new TSimpleServer(
            wired(new TServer.Args(socket))
                .processorFactory(new SessionProcessorFactory(node.processor, sessions)));
    return hosted(spec, server, socket, socket::closeConnections);
  }

  private HostedServer threadPool(ServerSpec spec) throws TTransportException {
    SessionServerSocket socket = blockingSocket(spec);
    TProcessor held =
        HoldingProcessor.of(node.processor, node.tProtocolFactory, options.hold(spec));
    TServer server =
        new TThreadPoolServer(
            wired(new TThreadPoolServer.Args(socket))
                .executorService(workers(spec))
                .processorFactory(new SessionProcessorFactory(held, sessions)));
    return hosted(spec, server, socket, socket::closeConnections);
  }

  private HostedServer nonblocking(ServerSpec spec) throws TTransportException {
    SessionNonblockingServerSocket socket = eventLoopSocket(spec);
    TNonblockingServer.Args args = new TNonblockingServer.Args(socket);
    args.maxReadBufferBytes = options.maxReadBufferBytes(spec);
    TServer server = new SessionNonblockingServer(wired(args).processor(node.processor), sessions);
    return hosted(spec, server, socket, socket::closeConnections);
  }

  private HostedServer hsha(ServerSpec spec) throws TTransportException {
    SessionNonblockingServerSocket socket = eventLoopSocket(spec);
    THsHaServer.Args args = new THsHaServer.Args(socket);
    args.maxReadBufferBytes = options.maxReadBufferBytes(spec);
    TServer server =
        new SessionHsHaServer(
            wired(args).executorService(workers(spec)).processor(node.processor), sessions);
    return hosted(spec, server, socket, socket::closeConnections);
  }

  private HostedServer threadedSelector(ServerSpec spec) throws TTransportException {
    SessionNonblockingServerSocket socket = eventLoopSocket(spec);
    TThreadedSelectorServer.Args args = new TThreadedSelectorServer.Args(socket);
    args.maxReadBufferBytes = options.maxReadBufferBytes(spec);
    TServer server =
        new SessionThreadedSelectorServer(
            wired(args)
                .selectorThreads(options.selectors(spec))
                .executorService(workers(spec))
                .processor(node.processor),
            sessions);
    return hosted(spec, server, socket, socket::closeConnections);
  }

  private HostedServer xedin(ServerSpec spec) throws TTransportException {
    SessionNonblockingServerSocket socket = eventLoopSocket(spec);
    // The only protocol that it accepts, with the arguments that stock Cassandra uses.
    com.thinkaurelius.thrift.util.TBinaryProtocol.Factory protocol =
        new com.thinkaurelius.thrift.util.TBinaryProtocol.Factory(true, true);
    TServer server =
        new SessionXedinServer(
            new com.thinkaurelius.thrift.TDisruptorServer.Args(socket)
                .useHeapBasedAllocation(true)
                .alwaysReallocateBuffers(true)
                .maxFrameSizeInBytes(limits.maxFrameBytes())
                .numSelectors(options.selectors(spec))
                .invocationExecutor(workers(spec))
                .inputTransportFactory(node.inTransportFactory)
                .outputTransportFactory(node.outTransportFactory)
                .inputProtocolFactory(protocol)
                .outputProtocolFactory(protocol)
                .processor(node.processor),
            sessions);
    return hosted(spec, server, socket, socket::closeConnections);
  }

  private HostedServer disruptor(ServerSpec spec) throws TTransportException {
    TCustomNonblockingServerSocket socket =
        new TCustomNonblockingServerSocket(
            address(spec), node.keepAlive, node.sendBufferSize, node.recvBufferSize);
    TDisruptorServer.Args args =
        new TDisruptorServer.Args(socket)
            .name("cassandra-" + spec.port())
            .threadFactory(new NamedThreadFactory("Ringside-" + spec.name()))
            .connectionListener(
                new ConnectionListener() {
                  @Override
                  public void beforeRequest(SocketAddress client, String method) {
                    sessions.beforeRequest(client);
                  }

                  @Override
                  public void closed(SocketAddress client) {
                    sessions.connectionEnded(client);
                  }
                })
            .selectors(options.selectors(spec))
            .maxWorkers(options.maxWorkers(spec))
            .minWorkers(options.minWorkers(spec))
            .maxFrameBytes(limits.maxFrameBytes())
            .maxReadBufferBytes(options.maxReadBufferBytes(spec))
            .processor(node.processor)
            .protocolFactory(node.tProtocolFactory);
    options.apply(spec, args);
    if (limits.clientEncryption().enabled) {
      encrypt(args, limits.clientEncryption());
    }
    return hosted(spec, new TDisruptorServer(args), socket, () -> {});
  }

  private <T extends TServer.AbstractServerArgs<T>> T wired(T args) {
    return args.inputTransportFactory(node.inTransportFactory)
        .outputTransportFactory(node.outTransportFactory)
        .protocolFactory(node.tProtocolFactory);
  }

  private HostedServer hosted(
      ServerSpec spec, TServer server, TServerTransport socket, Runnable closeConnections) {
    return new HostedServer(spec, options.described(spec), server, socket, closeConnections);
  }

  private static void encrypt(TDisruptorServer.Args args, ClientEncryptionOptions tls) {
    try {
      SSLContext context = SSLFactory.createSSLContext(tls, tls.require_client_auth);
      args.tls(context)
          .tlsClientAuthentication(tls.require_client_auth)
          .tlsAllowed(
              null,
              SSLFactory.filterCipherSuites(
                  context.getSupportedSSLParameters().getCipherSuites(), tls.cipher_suites));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "client_encryption_options cannot be used: " + rootMessage(e), e);
    }
  }

  private InetSocketAddress address(ServerSpec spec) {
    return new InetSocketAddress(node.addr.getAddress(), spec.port());
  }

  private SessionServerSocket blockingSocket(ServerSpec spec) throws TTransportException {
    ClientEncryptionOptions tls = limits.clientEncryption();
    return tls.enabled
        ? new SessionServerSocket(address(spec), node, sessions, tls)
        : new SessionServerSocket(address(spec), node, sessions);
  }

  private SessionNonblockingServerSocket eventLoopSocket(ServerSpec spec)
      throws TTransportException {
    if (limits.clientEncryption().enabled) {
      throw new IllegalArgumentException(
          "server type '"
              + spec.type()
              + "' cannot do TLS: disable client_encryption_options or use one of simple,"
              + " threadpool, disruptor");
    }
    return new SessionNonblockingServerSocket(address(spec), node, sessions);
  }

  private ThreadPoolExecutor workers(ServerSpec spec) {
    return WorkerPools.create(
        "Ringside-" + spec.name() + "-worker", options.minWorkers(spec), options.maxWorkers(spec));
  }

  private static String rootMessage(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage());
  }
}
