package dev.ringside.contract;

import java.util.Locale;

/** The requests of a store's counters port, as docs/reference/store-contract.md defines them. */
public enum Question {
  /** The resources that the process has used, and the bytes that it has counted. */
  COUNTERS,
  /** The current sizes of its data. */
  SIZES,
  /** The events between its nodes. */
  EVENTS;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** Returns the question of that word; null if there is none. */
  static Question of(String word) {
    for (Question question : values()) {
      if (question.word.equals(word)) {
        return question;
      }
    }
    return null;
  }
}
