package dev.ringside.cql.load;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Lists the operations on rows. */
enum Operation {
  /** Writes the rows of the pod's share in order. */
  WRITE(false),
  /** Reads rows of the whole population. */
  READ(true),
  /** Reads or writes rows of the whole population, in a given ratio. */
  MIXED(true),
  /** Reads several rows at once. */
  MULTIGET(true),
  /** Does the operations of a user profile. */
  USER(false);

  private final boolean reads;

  Operation(boolean reads) {
    this.reads = reads;
  }

  /** Reports whether the operation reads rows that an earlier phase wrote. */
  boolean reads() {
    return reads;
  }

  private String id() {
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
    return Arrays.stream(values()).filter(each -> each.id().equals(id)).findFirst().orElse(WRITE);
  }
}
