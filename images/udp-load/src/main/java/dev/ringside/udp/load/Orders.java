package dev.ringside.udp.load;

import dev.ringside.load.CommonOrders;
import dev.ringside.load.OrderSource;
import dev.ringside.load.OrdersException;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Holds a pod's orders as docs/reference/load-contract.md defines them, read from the environment
 * and checked.
 */
final class Orders {
  /** Name of the only operation, in the log's tags. */
  static final String ECHO = "echo";

  private static final String TIMEOUT = OrderSource.parameter("timeout-ms");
  private static final String SIZE_MIN = OrderSource.parameter("size-min");
  private static final String SIZE_MAX = OrderSource.parameter("size-max");

  /** An answer that takes longer on a working network does not arrive any more. */
  private static final String TIMEOUT_MILLIS = "200";

  private final CommonOrders common;
  private final int sizeMin;
  private final int sizeMax;

  private Orders(OrderSource in) {
    in.oneOf("RINGSIDE_OPERATION", "", List.of(ECHO));
    common = new CommonOrders(in);
    // If only one size is given, the default of the other adapts to it.
    int most = in.has(SIZE_MAX) ? in.number(SIZE_MAX, Message.HEADER_BYTES + 1) : Message.MAX_BYTES;
    sizeMin = in.number(SIZE_MIN, Message.HEADER_BYTES + 1, Math.min(64, most));
    sizeMax = in.has(SIZE_MAX) ? most : Math.max(sizeMin, 256);
    if (sizeMin > sizeMax || sizeMax > Message.MAX_BYTES) {
      in.refuse(
          String.format(
              "datagrams of %d to %d bytes (%s, %s): give sizes from %d to %d, the smaller first",
              sizeMin, sizeMax, SIZE_MIN, SIZE_MAX, Message.HEADER_BYTES + 1, Message.MAX_BYTES));
    }
    in.check();
  }

  /**
   * Reads the environment.
   *
   * @throws OrdersException with one line that lists all errors
   */
  static Orders of(UnaryOperator<String> environment) {
    return new Orders(
        new OrderSource(
            name -> {
              String value = environment.apply(name);
              return value == null && name.equals(TIMEOUT) ? TIMEOUT_MILLIS : value;
            }));
  }

  /** Returns the orders that all loads share. */
  CommonOrders common() {
    return common;
  }

  /** Returns the smallest number of letters after the header. */
  int lettersMin() {
    return sizeMin - Message.HEADER_BYTES;
  }

  /** Returns the largest number of letters after the header. */
  int lettersMax() {
    return sizeMax - Message.HEADER_BYTES;
  }
}
