package dev.ringside.ycsb;

import dev.ringside.load.Endpoint;
import dev.ringside.load.ErrorKind;
import dev.ringside.load.Start;
import dev.ringside.load.Tally;
import dev.ringside.stub.KeyValueClient;
import dev.ringside.stub.Record;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.TimeUnit;
import org.apache.thrift.TException;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;

/**
 * Binds YCSB to the stub, with one connection per thread. A record is one value, which is YCSB's
 * only field. Measures the time of the call alone. An operation that fails is counted and has no
 * time.
 */
final class StubBinding extends DB {
  private static final long RETRY_MILLIS = 100;

  private final Endpoint endpoint;
  private final Orders orders;
  private final Times times;
  private final Tally tally;
  private final Start start;
  private final Measurements schedule = Measurements.getMeasurements();
  private KeyValueClient client;

  StubBinding(
      KeyValueClient client,
      Endpoint endpoint,
      Orders orders,
      Times times,
      Tally tally,
      Start start) {
    this.client = client;
    this.endpoint = endpoint;
    this.orders = orders;
    this.times = times;
    this.tally = tally;
    this.start = start;
  }

  /** Opens a connection. */
  static KeyValueClient connect(Endpoint endpoint, Orders orders) throws TException {
    return new KeyValueClient(endpoint.host(), endpoint.port(), orders.common().timeoutMillis());
  }

  @Override
  public void init() throws DBException {
    try {
      start.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DBException("interrupted before the start", e);
    }
  }

  @Override
  public void cleanup() {
    if (client != null) {
      client.close();
    }
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    return timed(
        Kind.READ,
        () -> {
          byte[] value = client.get(bytes(key));
          if (value == null) {
            return Outcome.failed(ErrorKind.WRONG, key + " is not there: was it written?");
          }
          result.put(firstOf(fields), new ByteArrayByteIterator(value));
          return Outcome.of(1);
        });
  }

  @Override
  public Status scan(
      String table,
      String startKey,
      int count,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return timed(
        Kind.SCAN,
        () -> {
          List<Record> records = client.scan(bytes(startKey), count);
          for (Record record : records) {
            HashMap<String, ByteIterator> row = new HashMap<>();
            row.put(firstOf(fields), new ByteArrayByteIterator(record.value()));
            result.add(row);
          }
          return Outcome.of(records.size());
        });
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    byte[] value = valueOf(values);
    if (orders.operation() == Operation.WRITE) {
      return timed(Kind.WRITE, () -> stored(client.put(bytes(key), value)));
    }
    return timed(Kind.UPDATE, () -> stored(client.update(bytes(key), value)));
  }

  /** Always returns OK to YCSB, because its thread would end with the first failed insert. */
  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    byte[] value = valueOf(values);
    timed(
        Kind.WRITE,
        () ->
            stored(
                orders.operation() == Operation.INSERT
                    ? client.insert(bytes(key), value)
                    : client.put(bytes(key), value)));
    return Status.OK;
  }

  /** Returns NOT_IMPLEMENTED: YCSB's core workload has no deletes. */
  @Override
  public Status delete(String table, String key) {
    return Status.NOT_IMPLEMENTED;
  }

  /** Holds the result of a call: a number of records, or the error. */
  private static final class Outcome {
    private final int records;
    private final ErrorKind kind;
    private final String fault;

    private Outcome(int records, ErrorKind kind, String fault) {
      this.records = records;
      this.kind = kind;
      this.fault = fault;
    }

    static Outcome of(int records) {
      return new Outcome(records, null, null);
    }

    static Outcome failed(ErrorKind kind, String fault) {
      return new Outcome(0, kind, fault);
    }
  }

  private interface Call {
    Outcome run() throws TException;
  }

  private Status timed(Kind kind, Call call) {
    long wanted = schedule.getIntendedtartTimeNs();
    long began = System.nanoTime();
    Outcome outcome;
    try {
      if (client == null) {
        client = connect(endpoint, orders);
      }
      outcome = call.run();
    } catch (TException e) {
      outcome = Outcome.failed(ErrorKind.of(e), kind + " on " + endpoint + ": " + e);
      disconnect();
    }
    // A thread has no schedule before its first wait.
    long due = wanted == 0 ? began : wanted;
    if (outcome.fault != null) {
      tally.failed(outcome.kind, outcome.fault);
      times.of(kind).failed(began, System.nanoTime(), due, orders.common().patienceNanos());
      return Status.ERROR;
    }
    times.of(kind).record(began, System.nanoTime(), due);
    tally.answered(outcome.records);
    return Status.OK;
  }

  /**
   * Closes the connection; the next operation connects again. Waits, to avoid a tight loop of
   * attempts.
   */
  private void disconnect() {
    if (client != null) {
      client.close();
      client = null;
    }
    try {
      TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Outcome stored(dev.ringside.stub.Status status) {
    return status == dev.ringside.stub.Status.OK
        ? Outcome.of(1)
        : Outcome.failed(ErrorKind.STORE_FAILED, "the server said " + status);
  }

  private static byte[] valueOf(Map<String, ByteIterator> values) {
    return values.values().iterator().next().toArray();
  }

  private static String firstOf(Set<String> fields) {
    return fields == null ? "field0" : fields.iterator().next();
  }

  private static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }
}
