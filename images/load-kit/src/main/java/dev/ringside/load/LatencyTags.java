package dev.ringside.load;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The log's tags of an operation, as docs/reference/load-contract.md defines them. */
final class LatencyTags {
  /** Service time: from when an operation began until it was answered. */
  static final int SERVICE = 0;

  /** Response time: from when an operation was due until it was answered. */
  static final int RESPONSE = 1;

  /** Wait time: from when an operation was due until it began. */
  static final int WAIT = 2;

  private LatencyTags() {}

  /**
   * Returns the tags in the order of the constants. A closed loop has no schedule and so only the
   * first.
   */
  static List<String> of(String operation, boolean scheduled) {
    return scheduled
        ? Arrays.asList(operation + "-st", operation + "-rt", operation + "-wt")
        : Collections.singletonList(operation + "-st");
  }

  /** Returns the tag of the times until operations failed. */
  static String failed(String operation) {
    return operation + "-ft";
  }
}
