package dev.ringside.trip.cache;

import com.aerospike.client.AerospikeClient;
import com.aerospike.client.AerospikeException;
import com.aerospike.client.Bin;
import com.aerospike.client.Info;
import com.aerospike.client.Key;
import com.aerospike.client.Record;
import com.aerospike.client.cluster.Node;
import com.aerospike.client.policy.ClientPolicy;
import com.aerospike.client.policy.Policy;
import com.aerospike.client.policy.RecordExistsAction;
import com.aerospike.client.policy.WritePolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Stores trips in Aerospike, a separate server. Each get and put is a request over the network.
 *
 * <p>When a put returns, the value is in the memory of the server and its replicas. It is on the
 * server's disk within a second, as configured; Aerospike has no request for a sync. The end of
 * this process loses nothing.
 */
final class AerospikeCache implements Cache {
  private static final String TRIP = "trip";
  private static final int TIMEOUT_MILLIS = 10_000;

  private final AerospikeAddress address;
  private final String set;
  private final AerospikeClient client;
  private final Policy reads = new Policy();
  private final WritePolicy writes = new WritePolicy();

  /**
   * Connects to the server, and retries until it answers.
   *
   * @param patience longest time to wait for a server that is starting
   * @throws IOException if no server answers, or it does not have the namespace
   */
  AerospikeCache(CacheOptions options, Duration patience) throws IOException {
    address = options.aerospike();
    set = options.folder().getFileName().toString(); // one set per server
    reads.totalTimeout = TIMEOUT_MILLIS;
    writes.totalTimeout = TIMEOUT_MILLIS;
    // A value has one bin and replaces the previous value: no read is needed.
    writes.recordExistsAction = RecordExistsAction.REPLACE;
    client = connect(patience);
    try {
      requireNamespace();
    } catch (IOException e) {
      client.close();
      throw e;
    }
  }

  private AerospikeClient connect(Duration patience) throws IOException {
    long end = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        return new AerospikeClient(new ClientPolicy(), address.host(), address.port());
      } catch (AerospikeException e) {
        if (System.nanoTime() >= end) {
          throw new IOException(
              String.format(
                  "no Aerospike server answers at %s: start one there, or say where one is (%s)",
                  address, e.getMessage()),
              e);
        }
      }
      pause();
    }
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(200);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("ended while it waited for an Aerospike server", e);
    }
  }

  private void requireNamespace() throws IOException {
    try {
      for (Node node : client.getNodes()) {
        if (!List.of(Info.request(node, "namespaces").split(";")).contains(address.namespace())) {
          throw new IOException(
              String.format(
                  "the Aerospike server at %s has no namespace '%s': configure it, or name another",
                  address, address.namespace()));
        }
      }
    } catch (AerospikeException e) {
      throw failed("tell its namespaces", e);
    }
  }

  @Override
  public byte[] get(long key) throws IOException {
    try {
      Record found = client.get(reads, key(key));
      return found == null ? null : found.getBytes(TRIP);
    } catch (AerospikeException e) {
      throw failed("get", e);
    }
  }

  @Override
  public void put(long key, byte[] value) throws IOException {
    try {
      client.put(writes, key(key), new Bin(TRIP, value));
    } catch (AerospikeException e) {
      throw failed("put", e);
    }
  }

  private Key key(long number) {
    return new Key(address.namespace(), set, number);
  }

  @Override
  public void flush() {
    // Aerospike has no request for a sync
  }

  @Override
  public boolean survivesKill() {
    return true;
  }

  /** Returns the sizes of the whole namespace. Requests them from every node. */
  @Override
  public CacheSizes sizes() {
    long objects = 0;
    long disk = 0;
    long memory = 0;
    for (Node node : client.getNodes()) {
      Map<String, Long> told = numbers(Info.request(node, "namespace/" + address.namespace()));
      objects += told.getOrDefault("master_objects", 0L);
      disk += told.getOrDefault("data_used_bytes", 0L);
      memory += told.getOrDefault("index_used_bytes", 0L);
    }
    return new CacheSizes(objects, disk, memory);
  }

  /** Parses {@code name=value;name=value} and returns the values that are numbers. */
  static Map<String, Long> numbers(String info) {
    Map<String, Long> numbers = new TreeMap<>();
    for (String pair : info.split(";")) {
      String[] parts = pair.split("=", 2);
      if (parts.length == 2 && parts[1].matches("\\d{1,18}")) {
        numbers.put(parts[0], Long.parseLong(parts[1]));
      }
    }
    return numbers;
  }

  @Override
  public Class<?> essence() {
    return client.getClass();
  }

  /** Returns the server's edition, build and number of nodes, as it reports them. */
  @Override
  public Map<String, String> described() {
    Node node = client.getNodes()[0];
    return Map.of(
        "aerospike_edition", Info.request(node, "edition"),
        "aerospike_build", Info.request(node, "build"),
        "aerospike_nodes", String.valueOf(client.getNodes().length));
  }

  private IOException failed(String what, AerospikeException e) {
    return new IOException(
        String.format("Aerospike at %s cannot %s: %s", address, what, e.getMessage()), e);
  }

  @Override
  public void close() {
    client.close();
  }
}
