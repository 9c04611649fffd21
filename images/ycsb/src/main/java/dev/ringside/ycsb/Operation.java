package dev.ringside.ycsb;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Lists the operations of phases. */
enum Operation {
  /** Writes each key of this pod's share in order, or random keys if the phase has a duration. */
  WRITE,
  /** Like write, but an existing key is an error. */
  INSERT,
  /** Reads records. */
  READ,
  /** Replaces existing records. */
  UPDATE,
  /** Reads several records in the order of their keys. */
  SCAN,
  /** Reads and updates, by the parameter read-proportion. */
  MIXED;

  String id() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  static List<String> ids() {
    return Arrays.stream(values()).map(Operation::id).collect(Collectors.toList());
  }

  /** Returns the operation with a name, or READ for an unknown name. */
  static Operation of(String id) {
    return Arrays.stream(values()).filter(each -> each.id().equals(id)).findFirst().orElse(READ);
  }
}
