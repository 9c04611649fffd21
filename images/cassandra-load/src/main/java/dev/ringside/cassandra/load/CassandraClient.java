package dev.ringside.cassandra.load;

import dev.ringside.load.Client;
import dev.ringside.load.ConnectionLostException;
import dev.ringside.load.Endpoint;
import dev.ringside.load.Outcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.thrift.ColumnOrSuperColumn;
import org.apache.cassandra.thrift.ColumnParent;
import org.apache.cassandra.thrift.SlicePredicate;
import org.apache.cassandra.thrift.SliceRange;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.transport.TTransportException;

/**
 * One connection that reads or writes whole rows, with the requests that cassandra-stress sends.
 */
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
   * Connects.
   *
   * @param random what keys to read are drawn from; of this connection's thread alone
   */
  CassandraClient(Orders orders, Endpoint node, Random random) throws TException {
    this.orders = orders;
    this.random = random;
    population = new Population(orders.columns(), orders.columnSize());
    names = Population.encoded(Population.names(orders.columns()));
    wholeRow =
        new SlicePredicate()
            .setSlice_range(new SliceRange(names.get(0), NO_END, false, orders.columns()));
    connection = new Connection(node, orders.common().timeoutMillis());
    try {
      connection.client().set_keyspace(Schema.KEYSPACE);
    } catch (TException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public Outcome operate(long number) throws Exception {
    try {
      if (orders.writes()) {
        write(orders.common().keyOffset() + 1 + number % orders.common().keyCount());
      } else {
        read(orders.distribution().draw(random, number, orders.common().keys()));
      }
      return Outcome.DONE;
    } catch (TTransportException | TProtocolException e) {
      throw new ConnectionLostException(e.toString(), e);
    } catch (TApplicationException e) {
      if (e.getType() != TApplicationException.INTERNAL_ERROR) {
        // A reply to another request: what comes next cannot be told.
        throw new ConnectionLostException(e.toString(), e);
      }
      throw e;
    }
  }

  private void write(long keyNumber) throws TException {
    byte[] key = population.key(keyNumber);
    long now = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    connection
        .client()
        .batch_mutate(Row.mutation(key, names, population.values(key), now), orders.consistency());
  }

  private void read(long keyNumber) throws TException, IOException {
    byte[] key = population.key(keyNumber);
    List<ColumnOrSuperColumn> row =
        connection.client().get_slice(ByteBuffer.wrap(key), table, wholeRow, orders.consistency());
    String difference = Row.difference(row, names, population.values(key));
    if (!difference.isEmpty()) {
      throw new IOException(
          "key " + new String(key, StandardCharsets.US_ASCII) + ": " + difference);
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
