package dev.ringside.cql.load;

import dev.ringside.load.OrderSource;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Holds the options of the table that a write phase creates. An empty text or a negative number is
 * the store's default.
 *
 * @param compaction CQL map
 * @param compression CQL map
 * @param caching CQL map
 * @param gcGraceSeconds seconds until deletions are forgotten
 */
record TableOptions(String compaction, String compression, String caching, int gcGraceSeconds) {
  /** As cassandra-stress creates its table. */
  private static final String NO_COMPRESSION = "{'enabled': false}";

  private static final int STORE_DEFAULT = -1;
  private static final String ENTRY = "'[^']+'\\s*:\\s*('[^']*'|[0-9.]+|true|false)";
  private static final Pattern MAP =
      Pattern.compile("\\{\\s*(" + ENTRY + "(\\s*,\\s*" + ENTRY + ")*)?\\s*\\}");

  /** Reads the options. Errors are added to the source. */
  static TableOptions of(OrderSource in) {
    String seconds = OrderSource.parameter("table-gc-grace");
    return new TableOptions(
        map(in, "table-compaction", ""),
        map(in, "table-compression", NO_COMPRESSION),
        map(in, "table-caching", ""),
        in.has(seconds) ? in.number(seconds, 0) : STORE_DEFAULT);
  }

  private static String map(OrderSource in, String parameter, String otherwise) {
    String name = OrderSource.parameter(parameter);
    String value = in.text(name, otherwise);
    if (!value.isEmpty() && !MAP.matcher(value).matches()) {
      in.refuse(
          String.format(
              "%s is '%s': give a CQL map, as in {'class': 'LeveledCompactionStrategy'}",
              name, value));
    }
    return value;
  }

  /** Reports options that are set, for operations that do not use them. */
  void checkUnset(OrderSource in) {
    if (!equals(new TableOptions("", NO_COMPRESSION, "", STORE_DEFAULT))) {
      in.refuse(
          "an option of the table is set: the table of the operation user is that of its profile, so"
              + " write the option there");
    }
  }

  /** Returns the options as the end of a {@code CREATE TABLE}; never empty. */
  String clause() {
    List<String> options = new ArrayList<>();
    options.add("compression = " + compression);
    if (!compaction.isEmpty()) {
      options.add("compaction = " + compaction);
    }
    if (!caching.isEmpty()) {
      options.add("caching = " + caching);
    }
    if (gcGraceSeconds != STORE_DEFAULT) {
      options.add("gc_grace_seconds = " + gcGraceSeconds);
    }
    return " WITH " + String.join(" AND ", options);
  }
}
