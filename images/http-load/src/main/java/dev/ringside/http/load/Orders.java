package dev.ringside.http.load;

import dev.ringside.load.CommonOrders;
import dev.ringside.load.OrderSource;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Holds a pod's orders as docs/reference/load-contract.md defines them.
 *
 * @param operation operation of the phase
 * @param common orders that all loads share
 * @param valueSize bytes of a value, the same in writes and in their reads
 * @param missRatio share of reads of keys that were never written
 * @param retryBusy whether a write is repeated while the store is too busy
 */
record Orders(
    Operation operation, CommonOrders common, int valueSize, double missRatio, boolean retryBusy) {
  /** Largest value that the store's HTTP server accepts. */
  static final int LARGEST_VALUE = 1 << 16;

  private static final String VALUE_SIZE = OrderSource.parameter("value-size");
  private static final String MISS_RATIO = OrderSource.parameter("miss-ratio");
  private static final String WHEN_BUSY = OrderSource.parameter("when-busy");
  private static final String RETRY = "retry";

  /**
   * Reads the environment.
   *
   * @throws dev.ringside.load.OrdersException with one line that lists all errors
   */
  static Orders of(UnaryOperator<String> environment) {
    OrderSource in = new OrderSource(environment);
    Operation operation = Operation.of(in.oneOf("RINGSIDE_OPERATION", "", Operation.ids()));
    Orders orders =
        new Orders(
            operation,
            new CommonOrders(in),
            valueSize(in),
            missRatio(in),
            in.oneOf(WHEN_BUSY, "count", List.of("count", RETRY)).equals(RETRY));
    in.check();
    return orders;
  }

  private static int valueSize(OrderSource in) {
    int size = in.number(VALUE_SIZE, 0, 100);
    if (size > LARGEST_VALUE) {
      in.refuse(String.format("%s is '%d': %d at most", VALUE_SIZE, size, LARGEST_VALUE));
      return 0;
    }
    return size;
  }

  private static double missRatio(OrderSource in) {
    String text = in.text(MISS_RATIO, "0");
    try {
      double ratio = Double.parseDouble(text);
      if (ratio >= 0 && ratio <= 1) {
        return ratio;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    in.refuse(String.format("%s is '%s': give a number from 0 to 1", MISS_RATIO, text));
    return 0;
  }

  /** Returns the operation's name in the log's tags. */
  String tag() {
    return operation.id().toUpperCase(Locale.ROOT);
  }
}
