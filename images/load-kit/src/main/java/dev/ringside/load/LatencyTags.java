package dev.ringside.load;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The log's tags of an operation, as images/README.md names them. */
final class LatencyTags {
  /** From when an operation began. */
  static final int SERVICE = 0;

  /** From when the schedule wanted it to begin. */
  static final int RESPONSE = 1;

  /** From when the schedule wanted it to begin until it did. */
  static final int WAIT = 2;

  private LatencyTags() {}

  /** In the order of the constants; only the first in a closed loop, which has no schedule. */
  static List<String> of(String operation, boolean scheduled) {
    return scheduled
        ? Arrays.asList(operation + "-st", operation + "-rt", operation + "-wt")
        : Collections.singletonList(operation + "-st");
  }
}
