package dev.ringside.cql.load;

import com.datastax.oss.driver.api.core.CqlSession;
import dev.ringside.cassandra.load.StressRows;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The table of cassandra-stress. */
final class RowWorkload implements Workload {
  private final Orders orders;

  RowWorkload(Orders orders) {
    this.orders = orders;
  }

  @Override
  public String keyspace() {
    return "keyspace1";
  }

  @Override
  public String table() {
    return "standard1";
  }

  @Override
  public boolean needsTable() {
    return orders.operation().reads();
  }

  @Override
  public List<String> statements() {
    String columns =
        StressRows.names(orders.columns()).stream()
            .map(name -> ", \"" + name + "\" blob")
            .collect(Collectors.joining());
    return List.of(
        String.format(
            "CREATE KEYSPACE IF NOT EXISTS %s WITH replication = {'class': 'SimpleStrategy',"
                + " 'replication_factor': %d}",
            keyspace(), orders.replicationFactor()),
        String.format(
            "CREATE TABLE IF NOT EXISTS %s.%s (key blob PRIMARY KEY%s)%s",
            keyspace(), table(), columns, orders.table().clause()));
  }

  @Override
  public Function<RowChoice, Task> prepare(CqlSession session) {
    Statements statements =
        Statements.prepare(session, keyspace() + "." + table(), orders.columns());
    return choice ->
        new RowTask(
            orders.operation(),
            choice,
            new RowClient(
                session, statements, new StressRows(orders.columns(), orders.columnSize())));
  }
}
