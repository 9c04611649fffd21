package dev.ringside.bench.handoff;

import dev.ringside.bench.server.EchoProcessor;
import dev.ringside.bench.server.EchoService;
import dev.ringside.bench.wire.ServerControl;
import dev.ringside.server.ServerType;
import dev.ringside.thrift.HandOffKind;
import dev.ringside.thrift.TDisruptorServer;
import dev.ringside.thrift.WaitMode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.apache.thrift.transport.TNonblockingServerSocket;

/**
 * Runs this project's server with a given hand-off as a process: {@code HandOffMain
 * kind[/wait-mode] port workers selectors}. Every request is handed off and no worker lingers, so
 * that each request goes through the hand-off. With the server's defaults, few requests do.
 */
public final class HandOffMain {
  private HandOffMain() {}

  /** Serves until standard input ends. */
  public static void main(String[] args) throws Exception {
    String[] type = args[0].split("/");
    HandOffKind kind = HandOffKind.of(type[0]);
    WaitMode waitMode = type.length > 1 ? WaitMode.of(type[1]) : WaitMode.BLOCKING;
    int port = Integer.parseInt(args[1]);
    EchoService service = new EchoService();
    TNonblockingServerSocket socket =
        new TNonblockingServerSocket(
            new TNonblockingServerSocket.NonblockingAbstractServerSocketArgs()
                .bindAddr(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .backlog(ServerType.BACKLOG));
    TDisruptorServer server =
        new TDisruptorServer(
            kind.choose(
                new TDisruptorServer.Args(socket)
                    .name(kind.id() + "-" + port)
                    .maxWorkers(Integer.parseInt(args[2]))
                    .selectors(Integer.parseInt(args[3]))
                    .waitMode(waitMode)
                    .inlineLimit(0, TimeUnit.MICROSECONDS)
                    .linger(0, TimeUnit.MILLISECONDS)
                    .processor(new EchoProcessor(service))));
    Thread thread = new Thread(server::serve, "serve");
    thread.setDaemon(true);
    thread.start();
    ServerControl.run(port, server.getClass().getName() + ":" + args[0], service.orders());
  }
}
