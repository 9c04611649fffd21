package dev.ringside.ycsb;

import java.util.Arrays;
import java.util.List;
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

  static List<String> ids() {
    return Arrays.stream(values()).map(Operation::id).collect(Collectors.toList());
  }

  /** The operation of that name; READ for a name that is none. */
  static Operation of(String id) {
    return Arrays.stream(values()).filter(each -> each.id().equals(id)).findFirst().orElse(READ);
  }
}
