package dev.ringside.gps;

import dev.ringside.load.Connector;
import dev.ringside.load.Load;
import dev.ringside.load.LoadFailedException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongBinaryOperator;
import java.util.function.Supplier;

/**
 * Runs a load during which the store is killed. Measures the time until it accepts points again,
 * and verifies the points that it had acknowledged.
 */
final class RecoveryLoad {
  private final Orders orders;
  private final Kill kill;
  private final List<RecoveringClient> clients = Collections.synchronizedList(new ArrayList<>());

  RecoveryLoad(Orders orders) {
    this.orders = orders;
    kill = new Kill(orders.recovery());
  }

  /**
   * Runs the load to its end, requests all trips, and appends the results to the summary.
   *
   * @param trips creates the trips of a connection
   * @throws LoadFailedException if the store was not killed, did not restart, or sends invalid
   *     answers
   */
  void run(Supplier<Trips> trips, PrintStream out, PrintStream err)
      throws IOException, LoadFailedException, InterruptedException {
    Connector connector =
        (server, thread) -> {
          RecoveringClient client =
              new RecoveringClient(
                  server,
                  orders.common().timeoutMillis(),
                  orders.common().batch(),
                  trips.get(),
                  kill);
          clients.add(client);
          return client;
        };
    Load.run(orders.common(), Orders.POINT, connector, out, err);
    kill.check();
    List<String> lines = new ArrayList<>();
    lines.add("recovery.first_micros=" + micros(Math::min));
    lines.add("recovery.all_micros=" + micros(Math::max));
    Balance balance = verify();
    lines.add("recovery.sent=" + balance.sent());
    lines.add("recovery.acknowledged=" + balance.acknowledged());
    lines.add("recovery.kept=" + balance.kept());
    lines.add("recovery.lost=" + balance.lost());
    lines.add("recovery.refused=" + balance.refused());
    lines.add("recovery.wrong=" + balance.wrong());
    Files.write(
        orders.common().summary(), lines, StandardCharsets.UTF_8, StandardOpenOption.APPEND);
    lines.forEach(out::println);
  }

  /**
   * Returns the time from the kill until points were acknowledged again, for the first or the last
   * connection.
   */
  private long micros(LongBinaryOperator choose) throws LoadFailedException {
    long nanos =
        clients.stream()
            .filter(RecoveringClient::cameBack)
            .mapToLong(client -> client.backNanos() - kill.orderedNanos())
            .reduce(choose)
            .orElseThrow(
                () ->
                    new LoadFailedException(
                        "nothing was due after the store was killed: kill it earlier, or make the"
                            + " load longer"));
    return TimeUnit.NANOSECONDS.toMicros(nanos);
  }

  private Balance verify() throws IOException, LoadFailedException {
    Balance all = Balance.NONE;
    for (RecoveringClient client : clients) {
      all = all.plus(client.verify());
    }
    if (!all.isEven()) {
      throw new LoadFailedException("the books do not come out even: " + all);
    }
    return all;
  }
}
