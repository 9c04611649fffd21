package dev.ringside.cassandra.load;

import dev.ringside.load.Client;
import dev.ringside.load.Endpoint;
import dev.ringside.load.ErrorKind;
import dev.ringside.load.OperationFailedException;
import dev.ringside.load.Outcome;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.thrift.ColumnOrSuperColumn;
import org.apache.cassandra.thrift.ColumnParent;
import org.apache.cassandra.thrift.SlicePredicate;
import org.apache.cassandra.thrift.SliceRange;
import org.apache.thrift.TException;

/** One connection that reads or writes whole rows, with the requests of cassandra-stress. */
final class CassandraClient implements Client {
  private static final ByteBuffer NO_END = ByteBuffer.allocate(0);

  private final Orders orders;
  private final Connection connection;
  private final Random random;
  private final Population population;
  private final List<ByteBuffer> names;
  private final ColumnParent table = new ColumnParent(Schema.TABLE);
  private final SlicePredicate wholeRow;

  /**
   * Opens the connection.
   *
   * @param random chooses the keys to read; only used by this connection's thread
   */
  CassandraClient(Orders orders, Endpoint node, Random random) throws OperationFailedException {
    this.orders = orders;
    this.random = random;
    population = new Population(orders.columns(), orders.columnSize());
    names = Population.encoded(Population.names(orders.columns()));
    wholeRow =
        new SlicePredicate()
            .setSlice_range(new SliceRange(names.get(0), NO_END, false, orders.columns()));
    connection = connect(node, orders.common().timeoutMillis());
  }

  private static Connection connect(Endpoint node, int timeoutMillis)
      throws OperationFailedException {
    try {
      Connection connection = new Connection(node, timeoutMillis);
      try {
        connection.client().set_keyspace(Schema.KEYSPACE);
        return connection;
      } catch (TException e) {
        connection.close();
        throw e;
      }
    } catch (TException e) {
      throw ThriftFault.of(e);
    }
  }

  @Override
  public Outcome operate(long number) throws OperationFailedException {
    try {
      if (orders.writes()) {
        write(orders.common().keyOffset() + 1 + number % orders.common().keyCount());
      } else {
        read(orders.distribution().draw(random, number, orders.common().keys()));
      }
      return Outcome.DONE;
    } catch (TException e) {
      throw ThriftFault.of(e);
    }
  }

  private void write(long keyNumber) throws TException {
    byte[] key = population.key(keyNumber);
    long now = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    connection
        .client()
        .batch_mutate(Row.mutation(key, names, population.values(key), now), orders.consistency());
  }

  private void read(long keyNumber) throws TException, OperationFailedException {
    byte[] key = population.key(keyNumber);
    List<ColumnOrSuperColumn> row =
        connection.client().get_slice(ByteBuffer.wrap(key), table, wholeRow, orders.consistency());
    String difference = Row.difference(row, names, population.values(key));
    if (!difference.isEmpty()) {
      throw new OperationFailedException(
          ErrorKind.WRONG,
          "key " + new String(key, StandardCharsets.US_ASCII) + ": " + difference,
          null);
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
