package dev.ringside.cql.load;

import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import com.datastax.oss.protocol.internal.Frame;
import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants.DataType;
import com.datastax.oss.protocol.internal.request.Batch;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.Prepare;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.response.Result;
import com.datastax.oss.protocol.internal.response.result.ColumnSpec;
import com.datastax.oss.protocol.internal.response.result.DefaultRows;
import com.datastax.oss.protocol.internal.response.result.Prepared;
import com.datastax.oss.protocol.internal.response.result.RawType;
import com.datastax.oss.protocol.internal.response.result.RowsMetadata;
import com.datastax.oss.protocol.internal.response.result.SetKeyspace;
import com.datastax.oss.protocol.internal.response.result.Void;
import com.datastax.oss.simulacron.common.cluster.AbstractNode;
import com.datastax.oss.simulacron.common.cluster.ClusterSpec;
import com.datastax.oss.simulacron.common.stubbing.Action;
import com.datastax.oss.simulacron.common.stubbing.MessageResponseAction;
import com.datastax.oss.simulacron.common.stubbing.StubMapping;
import com.datastax.oss.simulacron.server.BoundCluster;
import com.datastax.oss.simulacron.server.Inet4Resolver;
import com.datastax.oss.simulacron.server.Server;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The part of Cassandra that the load needs, in memory, behind Simulacron's CQL servers. */
final class FakeStore implements AutoCloseable {
  final Map<String, List<ByteBuffer>> rows = new ConcurrentHashMap<>();
  final Map<String, Integer> writes = new ConcurrentHashMap<>();
  final ConcurrentLinkedQueue<String> statements = new ConcurrentLinkedQueue<>();

  /** The nodes that got a request for a key. */
  final Map<String, Set<String>> askedFor = new ConcurrentHashMap<>();

  /** Types of columns that are no blobs. */
  final Map<String, Integer> types = new ConcurrentHashMap<>();

  /** Type and size of each batch. */
  final ConcurrentLinkedQueue<String> batches = new ConcurrentLinkedQueue<>();

  final Set<Integer> levels = ConcurrentHashMap.newKeySet();
  final Set<Integer> pageSizes = ConcurrentHashMap.newKeySet();
  final AtomicInteger requests = new AtomicInteger();
  private static final Pattern VARIABLE = Pattern.compile("\"?(\\w+)\"? [<>]?=? ?\\?");
  private final AtomicInteger disagreements = new AtomicInteger();
  private final Server server;
  private volatile int failOneIn = Integer.MAX_VALUE;
  private volatile Message failure;
  private volatile Message rejection;
  private volatile boolean silent;
  private volatile Runnable milestone = () -> {};

  FakeStore() throws IOException {
    this(0);
  }

  /** Creates a store on addresses of its own: those from 127.0.network.1 on. */
  FakeStore(int network) throws IOException {
    byte[] first = {127, 0, (byte) network, 1};
    server = Server.builder().withAddressResolver(new Inet4Resolver(first, freePort())).build();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Starts a cluster over the same rows and returns its endpoints. */
  String serve(int nodes) {
    BoundCluster cluster = server.register(ClusterSpec.builder().withNodes(nodes));
    cluster.getStubStore().register(new Answers());
    return cluster.getNodes().stream()
        .map(node -> node.inet().getHostAddress() + ":" + node.port())
        .collect(Collectors.joining(","));
  }

  /** Makes one request in that number fail from now on. */
  void failOneIn(int requests, Message failure) {
    this.failure = failure;
    failOneIn = requests;
  }

  /** Makes the store reject tables from now on. */
  void rejectTables(Message answer) {
    rejection = answer;
  }

  /** Makes the store leave all operations unanswered from now on. */
  void fallSilent() {
    silent = true;
  }

  /** Makes the nodes report two schemas to that number of requests. */
  void disagree(int times) {
    disagreements.set(times);
  }

  /** Stops all nodes after that number of further requests. */
  void awaitRequestsThenClose(int number) {
    await(number);
    server.close();
  }

  /** Stops one node after that number of further requests. */
  void awaitRequestsThenStopANode(int number) {
    await(number);
    server.getClusters().iterator().next().getNodes().iterator().next().stop();
  }

  private void await(int number) {
    CountDownLatch reached = new CountDownLatch(number);
    milestone = reached::countDown;
    try {
      reached.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.close();
  }

  private final class Answers extends StubMapping {
    @Override
    public boolean matches(Frame frame) {
      return frame.message instanceof Prepare
          || frame.message instanceof Execute
          || frame.message instanceof Batch
          || frame.message instanceof Query query && answers(query.query);
    }

    private boolean answers(String query) {
      return query.contains("keyspace1")
          || query.startsWith("SELECT schema_version FROM system.local")
              && disagreements.getAndDecrement() > 0;
    }

    @Override
    @SuppressWarnings("rawtypes")
    public List<Action> getActions(AbstractNode node, Frame frame) {
      Message answer;
      if (frame.message instanceof Prepare prepare) {
        answer = prepared(prepare.cqlQuery);
      } else if (frame.message instanceof Query query) {
        answer = answer(query.query);
      } else if (frame.message instanceof Batch batch) {
        answer = answer(batch);
      } else {
        milestone.run();
        if (silent) {
          return List.of();
        }
        answer =
            requests.incrementAndGet() % failOneIn == 0
                ? failure
                : answer((Execute) frame.message, node.inet().getHostAddress());
      }
      return List.of(new MessageResponseAction(answer));
    }
  }

  private Message answer(String query) {
    if (query.startsWith("CREATE TABLE") && rejection != null) {
      return rejection;
    }
    if (query.startsWith("CREATE")) {
      statements.add(query);
      return Void.INSTANCE;
    }
    if (query.startsWith("USE")) {
      return new SetKeyspace("keyspace1");
    }
    if (query.startsWith("SELECT schema_version")) {
      ByteBuffer other = TypeCodecs.UUID.encode(UUID.randomUUID(), ProtocolVersion.V4);
      return found(
          List.of(column("schema_version", RawType.PRIMITIVES.get(DataType.UUID))),
          List.of(List.of(other)));
    }
    if (query.contains("system_schema.keyspaces")) {
      return keyspace();
    }
    boolean isThere = query.contains("system_schema.tables") && !statements.isEmpty();
    RawType text = RawType.PRIMITIVES.get(DataType.VARCHAR);
    return found(
        List.of(column("table_name", text)),
        isThere ? List.of(List.of(text("standard1"))) : List.of());
  }

  /** The keyspace with a replication factor of 1, so that each key has one right node. */
  private static Message keyspace() {
    RawType text = RawType.PRIMITIVES.get(DataType.VARCHAR);
    ByteBuffer replication =
        TypeCodecs.mapOf(TypeCodecs.TEXT, TypeCodecs.TEXT)
            .encode(
                Map.of(
                    "class",
                    "org.apache.cassandra.locator.SimpleStrategy",
                    "replication_factor",
                    "1"),
                ProtocolVersion.V4);
    return found(
        List.of(
            column("keyspace_name", text),
            column("durable_writes", RawType.PRIMITIVES.get(DataType.BOOLEAN)),
            column("replication", new RawType.RawMap(text, text))),
        List.of(List.of(text("keyspace1"), ByteBuffer.wrap(new byte[] {1}), replication)));
  }

  /** The id of a prepared statement is its text. */
  private Message prepared(String statement) {
    byte[] id = statement.getBytes(StandardCharsets.UTF_8);
    boolean list = statement.endsWith("IN ?");
    if (list) {
      RawType keys = new RawType.RawList(RawType.PRIMITIVES.get(DataType.BLOB));
      return new Prepared(
          id,
          null,
          new RowsMetadata(List.of(column("key", keys)), null, new int[0], null),
          new RowsMetadata(columns(statement), null, null, null));
    }
    List<ColumnSpec> specs =
        VARIABLE
            .matcher(statement)
            .results()
            .map(each -> each.group(1))
            .map(this::variable)
            .toList();
    int[] keys = {specs.size() - 1};
    return new Prepared(
        id,
        null,
        new RowsMetadata(specs, null, keys, null),
        new RowsMetadata(columns(statement), null, null, null));
  }

  private ColumnSpec variable(String name) {
    return column(name, RawType.PRIMITIVES.get(types.getOrDefault(name, DataType.BLOB)));
  }

  /** Returns the columns that a statement reads. */
  private static List<ColumnSpec> columns(String statement) {
    if (!statement.startsWith("SELECT")) {
      return List.of();
    }
    String list = statement.substring("SELECT ".length(), statement.indexOf(" FROM"));
    RawType blob = RawType.PRIMITIVES.get(DataType.BLOB);
    return Arrays.stream(list.split(", ")).map(name -> column(name, blob)).toList();
  }

  private Message answer(Execute execute, String node) {
    String statement = new String(execute.queryId, StandardCharsets.UTF_8);
    levels.add(execute.options.consistency);
    pageSizes.add(execute.options.pageSize);
    List<ByteBuffer> values = execute.options.positionalValues;
    if (statement.endsWith("IN ?")) {
      return multiget(statement, values.get(0));
    }
    String key = key(statement, values);
    askedFor.computeIfAbsent(key, any -> ConcurrentHashMap.newKeySet()).add(node);
    if (statement.startsWith("UPDATE")) {
      write(key, values);
      return Void.INSTANCE;
    }
    return found(
        columns(statement),
        rows.entrySet().stream()
            .filter(row -> row.getKey().startsWith(key))
            .map(row -> row.getValue().subList(0, columns(statement).size()))
            .toList());
  }

  private Message answer(Batch batch) {
    batches.add(batch.type + ":" + batch.values.size());
    for (int i = 0; i < batch.values.size(); i++) {
      String statement = new String((byte[]) batch.queriesOrIds.get(i), StandardCharsets.UTF_8);
      write(key(statement, batch.values.get(i)), batch.values.get(i));
    }
    return Void.INSTANCE;
  }

  private void write(String key, List<ByteBuffer> values) {
    rows.put(key, new ArrayList<>(values));
    writes.merge(key, 1, Integer::sum);
  }

  /** Returns the values in the condition of a statement. */
  private static String key(String statement, List<ByteBuffer> values) {
    long keys =
        statement.substring(statement.indexOf("WHERE")).chars().filter(c -> c == '?').count();
    return values.subList(values.size() - (int) keys, values.size()).stream()
        .map(FakeStore::ascii)
        .collect(Collectors.joining());
  }

  private Message multiget(String statement, ByteBuffer keys) {
    List<List<ByteBuffer>> found = new ArrayList<>();
    for (ByteBuffer key :
        TypeCodecs.listOf(TypeCodecs.BLOB).decode(keys.duplicate(), ProtocolVersion.V4)) {
      List<ByteBuffer> row = rows.get(ascii(key));
      if (row != null) {
        List<ByteBuffer> withKey = new ArrayList<>(List.of(key));
        withKey.addAll(row.subList(0, row.size() - 1));
        found.add(0, withKey); // in another order than that of the request
      }
    }
    return found(columns(statement), found);
  }

  private static String ascii(ByteBuffer bytes) {
    return StandardCharsets.ISO_8859_1.decode(bytes.duplicate()).toString();
  }

  private static ColumnSpec column(String name, RawType type) {
    return new ColumnSpec("keyspace1", "standard1", name, 0, type);
  }

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Result found(List<ColumnSpec> columns, List<List<ByteBuffer>> rows) {
    Queue<List<ByteBuffer>> data = new ArrayDeque<>();
    rows.forEach(row -> data.add(row.stream().map(ByteBuffer::duplicate).toList()));
    return new DefaultRows(new RowsMetadata(columns, null, null, null), data);
  }
}
