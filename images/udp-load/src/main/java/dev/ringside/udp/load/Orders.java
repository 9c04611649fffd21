package dev.ringside.udp.load;

import dev.ringside.load.CommonOrders;
import dev.ringside.load.OrderSource;
import dev.ringside.load.OrdersException;
import java.util.List;
import java.util.function.UnaryOperator;

/** A pod's orders, as images/README.md lays them down, read from the environment and checked. */
final class Orders {
  /** The one operation, and its name in the log's tags. */
  static final String ECHO = "echo";

  private static final String TIMEOUT = OrderSource.parameter("timeout-ms");
  private static final String SIZE_MIN = OrderSource.parameter("size-min");
  private static final String SIZE_MAX = OrderSource.parameter("size-max");

  /** What takes longer than this on a network that is not lost does not come any more. */
  private static final String TIMEOUT_MILLIS = "200";

  private final CommonOrders common;
  private final int sizeMin;
  private final int sizeMax;

  private Orders(OrderSource in) {
    in.oneOf("RINGSIDE_OPERATION", "", List.of(ECHO));
    common = new CommonOrders(in);
    // Where one is given, the other gives way.
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
   * @throws OrdersException with one line that tells all faults
   */
  static Orders of(UnaryOperator<String> environment) {
    return new Orders(
        new OrderSource(
            name -> {
              String value = environment.apply(name);
              return value == null && name.equals(TIMEOUT) ? TIMEOUT_MILLIS : value;
            }));
  }

  /** What every load is told. */
  CommonOrders common() {
    return common;
  }

  /** Letters behind the header, at least. */
  int lettersMin() {
    return sizeMin - Message.HEADER_BYTES;
  }

  /** Letters behind the header, at most. */
  int lettersMax() {
    return sizeMax - Message.HEADER_BYTES;
  }
}
