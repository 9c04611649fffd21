package dev.ringside.stub;

import dev.ringside.contract.Probes;
import dev.ringside.contract.profile.ProfilePort;
import dev.ringside.server.ServerSpec;
import dev.ringside.thrift.peers.Peers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.thrift.TProcessor;
import org.apache.thrift.transport.TTransportException;

/** All servers of a process over one store, each on its own port. */
final class Stub implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 4000;

  private final List<StubServer> servers = new ArrayList<>();
  private final Probes probes;
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
      String address = settings.address();
      probes =
          new Probes(
              address,
              settings.healthPort(),
              () -> without(StubServer::alive),
              () -> without(server -> server.answers(address, TIMEOUT_MILLIS)));
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
  }

  /** Returns a line for each server that is not well. */
  private List<String> without(Predicate<StubServer> well) {
    List<String> ill = new ArrayList<>();
    for (StubServer server : servers) {
      if (!well.test(server)) {
        ill.add(server.spec() + " does not answer");
      }
    }
    return ill;
  }

  List<StubServer> servers() {
    return servers;
  }

  @Override
  public void close() {
    probes.close();
    closeProfiles.run();
    servers.forEach(StubServer::stop);
  }
}
