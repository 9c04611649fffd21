package dev.ringside.load;

import java.util.List;

/**
 * Orders that make no sense. The message is one line that tells every fault, and how to mend it.
 */
public final class OrdersException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /** One fault, in one line. */
  public OrdersException(String fault) {
    super(fault);
  }

  OrdersException(List<String> faults) {
    super(String.join("; ", faults));
  }
}
