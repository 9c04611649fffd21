package dev.ringside.contract;

import java.util.Locale;

/** What a store may be asked on its counters port, by the word that charts/README.md has. */
public enum Question {
  /** What its process used, and what it counted of bytes, so far. */
  COUNTERS,
  /** How large what it holds is, now. */
  SIZES,
  /** What its nodes did for one another, so far. */
  EVENTS;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** The question of that word, or null. */
  static Question of(String word) {
    for (Question question : values()) {
      if (question.word.equals(word)) {
        return question;
      }
    }
    return null;
  }
}
