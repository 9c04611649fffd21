package dev.ringside.bench.server;

import dev.ringside.bench.handler.ThreadCounts;
import dev.ringside.bench.wire.ServerControl;
import dev.ringside.server.ServerType;
import dev.ringside.thrift.peers.PeerOptions;
import dev.ringside.thrift.peers.Peers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.apache.thrift.server.TServer;

/** Runs one server as a process: {@code ServerMain type port [workers selectors]}. */
public final class ServerMain {
  private ServerMain() {}

  /** Serves until standard input ends. */
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[1]);
    EchoService service = new EchoService();
    TServer server =
        Peers.build(
            ServerType.of(args[0]),
            ThreadCounts.of(args)
                .map(threads -> new PeerOptions(threads.workers(), threads.selectors()))
                .orElse(PeerOptions.DEFAULTS),
            new EchoProcessor(service),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    Thread thread = new Thread(server::serve, "serve");
    thread.setDaemon(true);
    thread.start();
    ServerControl.run(port, server.getClass().getName(), service.orders());
  }
}
