package dev.ringside.http.load;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Lists the operations on an entity with their HTTP methods. */
enum Operation {
  /** Writes the keys of the pod's share in order. */
  WRITE("PUT"),
  /** Reads keys of the whole population with equal probability, and absent keys. */
  READ("GET"),
  /** Deletes the keys of the pod's share in order. */
  DELETE("DELETE");

  private final String method;

  Operation(String method) {
    this.method = method;
  }

  String method() {
    return method;
  }

  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  static List<String> ids() {
    return Arrays.stream(values()).map(Operation::id).toList();
  }

  /**
   * Returns the operation with a name. An unknown name was already rejected, so any result is valid
   * for it.
   */
  static Operation of(String id) {
    return Arrays.stream(values()).filter(each -> each.id().equals(id)).findFirst().orElse(READ);
  }
}
