package dev.ringside.http.load;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What can be done to an entity, and how HTTP calls it. */
enum Operation {
  /** Walks through the pod's share of the keys. */
  WRITE("PUT"),
  /** Asks for keys of the whole population, each equally often, and for others. */
  READ("GET"),
  /** Walks through the pod's share of the keys. */
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

  /** By its name; what is none was refused already, and any will do. */
  static Operation of(String id) {
    return Arrays.stream(values()).filter(each -> each.id().equals(id)).findFirst().orElse(READ);
  }
}
