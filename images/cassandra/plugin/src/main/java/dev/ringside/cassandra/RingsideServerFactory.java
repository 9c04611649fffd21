package dev.ringside.cassandra;

import dev.ringside.contract.CounterPort;
import dev.ringside.contract.PendingCompactions;
import dev.ringside.contract.Question;
import dev.ringside.contract.ServerProof;
import dev.ringside.contract.profile.ProfilePort;
import dev.ringside.counters.JvmCounters;
import dev.ringside.server.ServerSpec;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.thrift.TServerFactory;
import org.apache.cassandra.transport.Server;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.thrift.TException;
import org.apache.thrift.server.TServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server factory that {@code rpc_server_type} in cassandra.yaml names. It hosts the servers of
 * {@code RINGSIDE_SERVERS}, each on its own port with the node's single processor, and logs one
 * {@code ringside-proof} line for each, and one for Cassandra's own CQL server if that runs. On the
 * UDP port {@code RINGSIDE_COUNTERS_PORT}, if set, it reports the resources that the node used and
 * its events; on the TCP port {@code RINGSIDE_PROFILE_PORT}, if set, it serves profiles.
 */
public final class RingsideServerFactory implements TServerFactory {
  private static final Logger LOG = LoggerFactory.getLogger(RingsideServerFactory.class);

  private final Settings settings;
  private final Sessions sessions;
  private final IntSupplier nativePort;

  /** Creates the factory; Cassandra calls it. */
  public RingsideServerFactory() {
    this(Settings.ofProcess(), new CassandraSessions(), RingsideServerFactory::nativePort);
  }

  RingsideServerFactory(Settings settings, Sessions sessions, IntSupplier nativePort) {
    this.settings = settings;
    this.sessions = sessions;
    this.nativePort = nativePort;
  }

  /** Returns the port of Cassandra's own CQL server; 0 if it does not run. */
  private static int nativePort() {
    return StorageService.instance.isNativeTransportRunning()
        ? DatabaseDescriptor.getNativeTransportPort()
        : 0;
  }

  /**
   * Returns all servers, bound to their ports.
   *
   * @throws IllegalArgumentException with a message of one line; no port stays bound, and Cassandra
   *     ends
   */
  @Override
  public TServer buildTServer(Args args) {
    LateMetrics.register();
    return build(args, NodeLimits.ofNode());
  }

  HostedServers build(Args args, NodeLimits limits) {
    List<HostedServer> hosted = new ArrayList<>();
    Runnable closeCounters = () -> {};
    Runnable closeProfiles;
    try {
      String list = settings.servers();
      List<ServerSpec> specs =
          list.isEmpty()
              ? Collections.emptyList()
              : ServerSpec.parseList(list, args.addr.getPort());
      ServerBuilder builder = new ServerBuilder(args, limits, settings, sessions);
      for (ServerSpec spec : specs) {
        hosted.add(builder.build(spec));
      }
      closeCounters = openCounters(args.addr, settings.countersPort());
      closeProfiles =
          ProfilePort.open(
              new InetSocketAddress(args.addr.getAddress(), settings.profilePort()),
              RingsideServerFactory::warn);
    } catch (RuntimeException e) {
      LOG.error("ringside: {}", e.getMessage());
      closeCounters.run();
      hosted.forEach(HostedServer::cleanUp);
      throw e;
    }
    ServerProof proof =
        ServerProof.ofJarOf(RingsideServerFactory.class)
            .withVersionOf(TException.class, "libthrift")
            .with("cassandra", FBUtilities.getReleaseVersionString());
    NodeSettings.ofNode().tell(proof);
    for (HostedServer server : hosted) {
      LOG.info(server.proof(proof, args.addr));
    }
    if (nativePort.getAsInt() > 0) {
      LOG.info(
          proof.line(
              Settings.NATIVE,
              Server.class,
              args.addr.getAddress().getHostAddress(),
              nativePort.getAsInt(),
              Collections.emptyMap()));
    }
    return new HostedServers(hosted, Arrays.asList(closeCounters, closeProfiles));
  }

  /** Opens the counters port, unless it is 0. Returns the action that closes it. */
  private static Runnable openCounters(InetSocketAddress node, int port) {
    if (port == 0) {
      return () -> {};
    }
    Map<Question, Supplier<Map<String, Long>>> answers = new EnumMap<>(Question.class);
    answers.put(Question.COUNTERS, new JvmCounters(RingsideServerFactory::warn));
    // A lambda: the class needs the settings of a running node.
    answers.put(
        Question.SIZES, new PendingCompactions(() -> CompactionManager.instance.getPendingTasks()));
    answers.put(Question.EVENTS, new NodeEvents());
    return new CounterPort(
            new InetSocketAddress(node.getAddress(), port), answers, RingsideServerFactory::warn)
        ::close;
  }

  private static void warn(String problem) {
    LOG.warn("ringside: {}", problem);
  }
}
