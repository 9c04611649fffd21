package dev.ringside.ycsb;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What a phase may ask for. */
enum Operation {
  /** Writes each key of this pod's share, in order; for a phase bounded in time, random keys. */
  WRITE,
  /** Like write, but a key that is there already is an error. */
  INSERT,
  /** Reads. */
  READ,
  /** Replaces records that are there. */
  UPDATE,
  /** Reads several records in the order of their keys. */
  SCAN,
  /** Reads and updates, by the parameter read-proportion. */
  MIXED;

  String id() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  static Operation of(String id) {
    for (Operation operation : values()) {
      if (operation.id().equals(id)) {
        return operation;
      }
    }
    throw new IllegalArgumentException(
        "RINGSIDE_OPERATION is '"
            + id
            + "': it is one of "
            + Arrays.stream(values()).map(Operation::id).collect(Collectors.joining(", ")));
  }
}
