package dev.ringside.load;

import java.util.List;

/** The settings are invalid. The message is one line with every error and how to fix it. */
public final class OrdersException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /** Creates the exception with one error, in one line. */
  public OrdersException(String fault) {
    super(fault);
  }

  OrdersException(List<String> faults) {
    super(String.join("; ", faults));
  }
}
