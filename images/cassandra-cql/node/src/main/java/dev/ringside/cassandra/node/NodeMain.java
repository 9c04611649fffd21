package dev.ringside.cassandra.node;

import dev.ringside.contract.CounterPort;
import dev.ringside.contract.MaintenancePort;
import dev.ringside.contract.MaintenanceTask;
import dev.ringside.contract.PendingCompactions;
import dev.ringside.contract.Probes;
import dev.ringside.contract.Question;
import dev.ringside.contract.ServerProof;
import dev.ringside.contract.StoreProcess;
import dev.ringside.contract.profile.ProfilePort;
import dev.ringside.counters.JvmCounters;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.Security;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.service.CassandraDaemon;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.transport.Server;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Runs a Cassandra node in a pod, unchanged, with what the store contract asks for around it:
 * configuration of the pod, probes, proof, counters, profiles and maintenance. {@code check
 * host:port} writes and reads a row instead, for the chart's Helm test.
 */
public final class NodeMain {
  private static final String PROGRAM = "ringside-cassandra-cql";
  private static final int STORAGE_PORT = 7000;

  /**
   * How long a failing check is repeated. A request may wait 10 s for its answer while a busy ring
   * agrees on the check's table.
   */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private NodeMain() {}

  /** Exits with status 0 for success, 1 for failure, 64 for an invalid setting. */
  public static void main(String[] args) {
    Pod pod = Pod.ofProcess();
    System.exit(
        StoreProcess.run(
            PROGRAM,
            args,
            () -> serve(pod),
            server -> WriteRead.check(server, pod.replicationFactor()),
            System.err,
            PATIENCE));
  }

  private static void serve(Pod pod) throws IOException, InterruptedException {
    // The seed's name is not known at first, and another address after a restart of the seed.
    Security.setProperty("networkaddress.cache.negative.ttl", "0");
    Security.setProperty("networkaddress.cache.ttl", "10");
    Path data = Path.of(pod.text("RINGSIDE_DATA"));
    Ring ring = new Ring(data, pod.nodes());
    ring.check();
    Departure departure = new Departure(data);
    Upgrade upgrade = new Upgrade(data);
    upgrade.check(FBUtilities.getReleaseVersionString());
    Variant.ofProcess().check(pod, upgrade.version());
    NodeHealth health = new NodeHealth(ring);
    new Probes(pod.address(), pod.port("RINGSIDE_HEALTH_PORT"), health::live, health::ready);
    if (departure.happened()) {
      System.out.println("ringside: the node left the ring; it deletes its data and joins again");
      departure.deleteData();
      System.setProperty("cassandra.auto_bootstrap", "true"); // it has the others stream its data
    }
    Seed.await(pod, STORAGE_PORT);
    System.setProperty("cassandra.config.loader", PodConfiguration.class.getName());
    System.setProperty("cassandra.storagedir", data.toString());
    System.setProperty("cassandra-foreground", "yes");
    CassandraDaemon.main(new String[0]); // returns when the node serves, or ends the process
    if (StorageService.instance.getOperationMode().equals("NORMAL")) {
      departure.end();
    }
    open(pod, departure, upgrade);
    System.out.println(proof(pod));
    health.start();
    Thread.currentThread().join(); // until a signal or a failed probe ends the process
  }

  private static void open(Pod pod, Departure departure, Upgrade upgrade) {
    int counters = pod.port("RINGSIDE_COUNTERS_PORT");
    if (counters > 0) {
      new CounterPort(
          new InetSocketAddress(pod.address(), counters),
          Map.of(
              Question.COUNTERS, new JvmCounters(NodeMain::warn),
              Question.SIZES,
                  new PendingCompactions(() -> CompactionManager.instance.getPendingTasks()),
              Question.EVENTS, new NodeEvents()),
          NodeMain::warn);
    }
    ProfilePort.open(
        new InetSocketAddress(pod.address(), pod.port("RINGSIDE_PROFILE_PORT")), NodeMain::warn);
    int maintenance = pod.port("RINGSIDE_MAINTENANCE_PORT");
    if (maintenance > 0) {
      Map<String, MaintenanceTask> tasks =
          new TreeMap<>(
              new NodeTasks(() -> StorageService.instance, pod.isSeed(), departure).byName());
      pod.upgradeVersion()
          .ifPresent(
              version ->
                  tasks.put(
                      "upgrade",
                      new UpgradeTask(
                          () -> StorageService.instance, upgrade, version, () -> System.exit(0))));
      new MaintenancePort(maintenance, tasks, NodeMain::warn);
    }
  }

  private static String proof(Pod pod) {
    ServerProof proof =
        ServerProof.ofJarOf(NodeMain.class)
            .with("cassandra", FBUtilities.getReleaseVersionString());
    Variant.ofProcess().tell(proof);
    NodeSettings.tell(proof);
    return proof.line(pod.server(), Server.class, pod.address(), pod.serverPort(), Map.of());
  }

  private static void warn(String problem) {
    System.err.println(PROGRAM + ": " + problem);
  }
}
