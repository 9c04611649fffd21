package dev.ringside.load;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The counters of a store that make up its queue, as its chart defines them: counters that are
 * added and counters that are subtracted, as in {@code points_received-points}.
 */
final class QueueTerms {
  private static final Pattern ALL = Pattern.compile("[a-z][a-z0-9_]*([+-][a-z][a-z0-9_]*)*");
  private static final Pattern TERM = Pattern.compile("([+-]?)([a-z][a-z0-9_]*)");

  private final Map<String, Integer> signs = new LinkedHashMap<>();

  private QueueTerms() {}

  /**
   * Parses the terms.
   *
   * @throws IllegalArgumentException if the text is invalid; the message says why
   */
  static QueueTerms of(String text) {
    String dense = text.replace(" ", "");
    if (!ALL.matcher(dense).matches()) {
      throw new IllegalArgumentException(
          "'" + text + "': write names of counters with + and - between them, as in received-done");
    }
    QueueTerms terms = new QueueTerms();
    Matcher term = TERM.matcher(dense);
    while (term.find()) {
      int sign = term.group(1).equals("-") ? -1 : 1;
      if (terms.signs.put(term.group(2), sign) != null) {
        throw new IllegalArgumentException("'" + text + "': it has " + term.group(2) + " twice");
      }
    }
    return terms;
  }

  /**
   * Returns the queue length over all pods of a complete reading.
   *
   * @throws LoadFailedException if a pod does not report one of the counters
   */
  long in(Reading reading) throws LoadFailedException {
    long length = 0;
    for (Map.Entry<String, Integer> term : signs.entrySet()) {
      Long sum = reading.sum(term.getKey());
      if (sum == null) {
        throw new LoadFailedException(
            "the store's pods do not tell "
                + term.getKey()
                + ", of which their chart makes a queue");
      }
      length += term.getValue() * sum;
    }
    return length;
  }
}
