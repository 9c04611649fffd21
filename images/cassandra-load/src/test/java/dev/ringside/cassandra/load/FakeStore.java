package dev.ringside.cassandra.load;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.thrift.Cassandra;
import org.apache.cassandra.thrift.Column;
import org.apache.cassandra.thrift.ColumnOrSuperColumn;
import org.apache.cassandra.thrift.ColumnParent;
import org.apache.cassandra.thrift.ConsistencyLevel;
import org.apache.cassandra.thrift.CqlResult;
import org.apache.cassandra.thrift.CqlResultType;
import org.apache.cassandra.thrift.CqlRow;
import org.apache.cassandra.thrift.Mutation;
import org.apache.cassandra.thrift.SlicePredicate;
import org.apache.cassandra.thrift.TimedOutException;
import org.apache.thrift.server.THsHaServer;
import org.apache.thrift.transport.TFramedTransport;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.apache.thrift.transport.TTransportException;

/**
 * The part of Cassandra that the load needs, in memory, with libthrift's own servers on the
 * loopback address.
 */
final class FakeStore implements AutoCloseable {
  final Map<String, Map<String, String>> rows = new ConcurrentHashMap<>();
  final Map<String, Integer> writes = new ConcurrentHashMap<>();
  final ConcurrentLinkedQueue<String> statements = new ConcurrentLinkedQueue<>();
  final Map<Integer, AtomicInteger> requests = new ConcurrentHashMap<>();
  final ConcurrentHashMap<ConsistencyLevel, Integer> levels = new ConcurrentHashMap<>();
  private final List<THsHaServer> servers = new ArrayList<>();
  private volatile int failOneIn = Integer.MAX_VALUE;
  private volatile boolean table;
  private volatile Runnable milestone = () -> {};
  private final AtomicInteger disagreements = new AtomicInteger();

  /** Starts a server over the same rows and returns its endpoint. */
  String serve() throws TTransportException {
    TNonblockingServerSocket socket =
        new TNonblockingServerSocket(new java.net.InetSocketAddress("127.0.0.1", 0));
    AtomicInteger count = new AtomicInteger();
    THsHaServer server =
        new THsHaServer(
            new THsHaServer.Args(socket)
                .workerThreads(8)
                .transportFactory(new TFramedTransport.Factory())
                .processor(new Cassandra.Processor<>(answers(count))));
    Thread thread = new Thread(server::serve, "server");
    thread.setDaemon(true);
    thread.start();
    servers.add(server);
    int port = portOf(socket);
    requests.put(port, count);
    return "127.0.0.1:" + port;
  }

  private static int portOf(TNonblockingServerSocket socket) {
    try {
      java.lang.reflect.Field field = socket.getClass().getDeclaredField("serverSocket_");
      field.setAccessible(true);
      return ((java.net.ServerSocket) field.get(socket)).getLocalPort();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Makes one request in that number time out from now on. */
  void failOneIn(int requests) {
    failOneIn = requests;
  }

  /** Makes the nodes report two schemas to that number of requests. */
  void disagree(int times) {
    disagreements.set(times);
  }

  private Cassandra.Iface answers(AtomicInteger count) {
    return (Cassandra.Iface)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Cassandra.Iface.class},
            (proxy, method, arguments) -> answer(method.getName(), arguments, count));
  }

  private Object answer(String method, Object[] arguments, AtomicInteger count) throws Exception {
    switch (method) {
      case "set_keyspace":
        return null;
      case "execute_cql3_query":
        return query(text((ByteBuffer) arguments[0]));
      case "describe_schema_versions":
        return disagreements.getAndDecrement() > 0
            ? Map.of("v1", List.of("n1"), "v2", List.of("n2"))
            : Map.of("v2", List.of("n1", "n2"));
      case "batch_mutate":
        failNow(count);
        levels.merge((ConsistencyLevel) arguments[1], 1, Integer::sum);
        write(arguments[0]);
        return null;
      case "get_slice":
        failNow(count);
        levels.merge((ConsistencyLevel) arguments[3], 1, Integer::sum);
        return read(
            (ByteBuffer) arguments[0], (ColumnParent) arguments[1], (SlicePredicate) arguments[2]);
      default:
        throw new UnsupportedOperationException(method);
    }
  }

  private void failNow(AtomicInteger count) throws TimedOutException {
    milestone.run();
    if (count.incrementAndGet() % failOneIn == 0) {
      throw new TimedOutException();
    }
  }

  private CqlResult query(String statement) {
    statements.add(statement);
    CqlResult result = new CqlResult(CqlResultType.ROWS);
    if (statement.startsWith("CREATE TABLE")) {
      table = true;
    }
    return table
        ? result.setRows(List.of(new CqlRow(ByteBuffer.allocate(0), List.of())))
        : result.setRows(List.of());
  }

  @SuppressWarnings("unchecked")
  private void write(Object mutations) {
    ((Map<ByteBuffer, Map<String, List<Mutation>>>) mutations)
        .forEach(
            (key, tables) -> {
              Map<String, String> row = new ConcurrentHashMap<>();
              for (Mutation mutation : tables.get("standard1")) {
                Column column = mutation.column_or_supercolumn.column;
                row.put(text(column.name), raw(column.value));
              }
              rows.put(text(key), row);
              writes.merge(text(key), 1, Integer::sum);
            });
  }

  private List<ColumnOrSuperColumn> read(
      ByteBuffer key, ColumnParent parent, SlicePredicate predicate) {
    if (!parent.column_family.equals("standard1")
        || !text(predicate.slice_range.start).equals("C0")) {
      throw new IllegalArgumentException("not what cassandra-stress asks");
    }
    List<ColumnOrSuperColumn> columns = new ArrayList<>();
    rows.getOrDefault(text(key), Map.of()).entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .limit(predicate.slice_range.count)
        .forEach(
            entry ->
                columns.add(
                    new ColumnOrSuperColumn()
                        .setColumn(
                            new Column(
                                    ByteBuffer.wrap(
                                        entry.getKey().getBytes(StandardCharsets.ISO_8859_1)))
                                .setValue(
                                    entry.getValue().getBytes(StandardCharsets.ISO_8859_1)))));
    return columns;
  }

  /** Closes the servers under load, or after some seconds on a machine that is too slow. */
  void awaitRequestsThenClose(int enough) {
    CountDownLatch reached = new CountDownLatch(1);
    milestone =
        () -> {
          if (levels.values().stream().mapToInt(count -> count).sum() >= enough) {
            reached.countDown();
          }
        };
    try {
      reached.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    close();
  }

  private static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }

  private static String raw(ByteBuffer bytes) {
    return StandardCharsets.ISO_8859_1.decode(bytes.duplicate()).toString();
  }

  @Override
  public void close() {
    servers.forEach(THsHaServer::stop);
  }
}
