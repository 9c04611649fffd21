package dev.ringside.stub;

import dev.ringside.contract.profile.ProfilePort;
import dev.ringside.server.ServerSpec;
import dev.ringside.thrift.peers.Peers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.thrift.TProcessor;
import org.apache.thrift.transport.TTransportException;

/** All servers of a process over one store, each on its own port. */
final class Stub implements AutoCloseable {
  private final List<StubServer> servers = new ArrayList<>();
  private final Health health;
  private final Runnable closeProfiles;

  /**
   * Binds every port and starts to serve.
   *
   * @throws IllegalArgumentException with a message of one line if a setting is wrong or a port is
   *     in use
   */
  Stub(Settings settings) {
    TProcessor processor =
        new KeyValueProcessor(new KeyValueStore(), HandlerMode.parse(settings.handler()));
    try {
      for (ServerSpec spec : settings.servers()) {
        servers.add(
            new StubServer(
                spec,
                Peers.build(
                    spec.type(),
                    settings.options(),
                    processor,
                    new InetSocketAddress(settings.address(), spec.port()))));
      }
      health = new Health(servers, settings);
      closeProfiles =
          ProfilePort.open(
              new InetSocketAddress(settings.address(), settings.profilePort()),
              System.err::println);
    } catch (TTransportException | IOException e) {
      throw new IllegalArgumentException(
          String.format(
              "cannot listen on %s, servers %s and health port %d: is a port in use? (%s)",
              settings.address(), settings.servers(), settings.healthPort(), e.getMessage()),
          e);
    }
    servers.forEach(StubServer::start);
    health.start();
  }

  List<StubServer> servers() {
    return servers;
  }

  @Override
  public void close() {
    health.stop();
    closeProfiles.run();
    servers.forEach(StubServer::stop);
  }
}
