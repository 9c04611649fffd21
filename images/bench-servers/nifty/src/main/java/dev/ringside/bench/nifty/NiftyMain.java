package dev.ringside.bench.nifty;

import com.facebook.nifty.core.NettyServerConfig;
import com.facebook.nifty.core.NettyServerConfigBuilder;
import com.facebook.nifty.core.NettyServerTransport;
import com.facebook.nifty.core.ThriftServerDefBuilder;
import dev.ringside.bench.handler.ThreadCounts;
import dev.ringside.bench.server.EchoProcessor;
import dev.ringside.bench.server.EchoService;
import dev.ringside.bench.wire.ServerControl;
import dev.ringside.server.ServerType;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.jboss.netty.channel.group.DefaultChannelGroup;

/**
 * Runs Facebook's Nifty as a process: {@code NiftyMain nifty port [workers selectors]}. With 0
 * workers, requests run on Netty's threads, as by default.
 */
public final class NiftyMain {
  private NiftyMain() {}

  /** Serves until standard input ends. */
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[1]);
    Optional<ThreadCounts> threads = ThreadCounts.of(args);
    EchoService service = new EchoService();
    ThriftServerDefBuilder definition =
        new ThriftServerDefBuilder().listen(port).withProcessor(new EchoProcessor(service));
    threads
        .map(ThreadCounts::workers)
        .filter(workers -> workers > 0)
        .ifPresent(workers -> definition.using(Executors.newFixedThreadPool(workers)));
    NettyServerConfigBuilder config = NettyServerConfig.newBuilder();
    threads.map(ThreadCounts::selectors).ifPresent(config::setWorkerThreadCount);
    config.getServerSocketChannelConfig().setBacklog(ServerType.BACKLOG);
    NettyServerTransport server =
        new NettyServerTransport(definition.build(), config.build(), new DefaultChannelGroup());
    server.start();
    ServerControl.run(port, NettyServerTransport.class.getName(), service.orders());
  }
}
