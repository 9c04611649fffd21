package dev.ringside.trip.cache;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.map.IMap;
import com.hazelcast.map.LocalMapStats;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Stores trips in Hazelcast: an in-memory grid with one member in this process. Its heap has the
 * values in serialized form.
 *
 * <p>A get or put runs on the thread that owns the key's partition, and the caller waits for it.
 * The end of the process loses all values, whatever the settings for syncs are.
 */
final class HazelcastCache implements Cache {
  private static final String TRIPS = "trips";
  private static final String LOOPBACK = "127.0.0.1";

  /**
   * Kept in a field, because a collected logger loses its level. Without it, a start logs some
   * forty lines.
   */
  private static final Logger LOG = Logger.getLogger("com.hazelcast");

  static {
    LOG.setLevel(Level.WARNING);
  }

  private final HazelcastInstance member;
  private final IMap<Long, byte[]> trips;

  /**
   * Starts the member, which takes some seconds.
   *
   * @param name of the member, unique in this process
   */
  HazelcastCache(String name) throws IOException {
    try {
      member = Hazelcast.newHazelcastInstance(alone(name));
    } catch (HazelcastException e) {
      throw new IOException("Hazelcast cannot start: " + e.getMessage(), e);
    }
    trips = member.getMap(TRIPS);
  }

  /**
   * Returns the configuration of a member that no other member can join and that sends no reports.
   */
  private static Config alone(String name) {
    Config config = new Config(name);
    config.setClusterName(UUID.randomUUID().toString());
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.shutdownhook.enabled", "false"); // the server closes it
    config.setProperty("hazelcast.socket.bind.any", "false");
    // Avoids threads that collect unused metrics, and a log line for each high load.
    config.getMetricsConfig().setEnabled(false);
    config.setProperty("hazelcast.health.monitoring.level", "OFF");
    NetworkConfig network = config.getNetworkConfig();
    network.setPort(0); // any free port
    network.getInterfaces().setEnabled(true).addInterface(LOOPBACK);
    JoinConfig join = network.getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    config.getMapConfig(TRIPS).setBackupCount(0); // no other member can hold a backup
    return config;
  }

  @Override
  public byte[] get(long key) throws IOException {
    try {
      return trips.get(key);
    } catch (HazelcastException | HazelcastInstanceNotActiveException e) {
      throw failed("get", e);
    }
  }

  @Override
  public void put(long key, byte[] value) throws IOException {
    try {
      trips.set(key, value); // unlike put, it does not return the previous value
    } catch (HazelcastException | HazelcastInstanceNotActiveException e) {
      throw failed("put", e);
    }
  }

  @Override
  public void flush() {
    // there is no disk
  }

  @Override
  public boolean survivesKill() {
    return false;
  }

  @Override
  public CacheSizes sizes() {
    LocalMapStats stats = trips.getLocalMapStats();
    return new CacheSizes(stats.getOwnedEntryCount(), 0, stats.getOwnedEntryMemoryCost());
  }

  @Override
  public Map<String, Long> counted() {
    LocalMapStats stats = trips.getLocalMapStats();
    return Map.of("gets", stats.getGetOperationCount(), "sets", stats.getSetOperationCount());
  }

  @Override
  public Class<?> essence() {
    return trips.getClass();
  }

  private static IOException failed(String what, RuntimeException e) {
    return new IOException("Hazelcast cannot " + what + ": " + e.getMessage(), e);
  }

  @Override
  public void close() {
    member.getLifecycleService().terminate(); // no other member can take over data
  }
}
