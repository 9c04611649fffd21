package dev.ringside.cql.load.profile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A table as its {@code CREATE TABLE} statement defines it.
 *
 * @param name name in lower case
 * @param types columns and their types, in their order
 * @param partitionKey names of the columns of the partition key
 * @param clustering names of the clustering columns
 * @param body the statement from its columns on
 */
record TableDefinition(
    String name,
    Map<String, ColumnType> types,
    List<String> partitionKey,
    List<String> clustering,
    String body) {
  private static final Pattern HEAD =
      Pattern.compile(
          "(?is)\\s*CREATE\\s+TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?(?:\\w+\\.)?([a-z]\\w*)\\s*\\(.*");
  private static final Pattern PRIMARY_KEY =
      Pattern.compile(
          "(?is)PRIMARY\\s+KEY\\s*\\(\\s*(?:\\(([^()]*)\\)|(\\w+))\\s*(?:,([^()]*))?\\)");
  private static final Pattern COLUMN =
      Pattern.compile("(?is)([a-z]\\w*)\\s+([a-z]+)(\\s+STATIC)?(\\s+PRIMARY\\s+KEY)?");

  /**
   * Parses a statement.
   *
   * @param firstLine line of the statement's first line in the profile
   * @return the table; null if the statement is not understood, which is reported
   */
  static TableDefinition of(String statement, int firstLine, Faults faults) {
    String text = statement.trim().replaceAll(";$", "");
    if (!HEAD.matcher(text).matches()) {
      faults.add(firstLine, "table_definition is no CREATE TABLE with plain names: rewrite it");
      return null;
    }
    int open = text.indexOf('(');
    int close = closing(text, open);
    if (close < 0) {
      faults.add(firstLine, "table_definition has a bracket without its end: close it");
      return null;
    }
    Builder builder = new Builder(faults);
    for (int from = open + 1; from < close; ) {
      int to = partEnd(text, from, close);
      int begin = from;
      while (begin < to && Character.isWhitespace(text.charAt(begin))) {
        begin++;
      }
      int line = firstLine + (int) text.substring(0, begin).chars().filter(c -> c == '\n').count();
      builder.part(text.substring(begin, to).trim(), line);
      from = to + 1;
    }
    Matcher head = HEAD.matcher(text);
    head.matches();
    return builder.build(head.group(1).toLowerCase(Locale.ROOT), text.substring(open), firstLine);
  }

  /** Returns where the bracket at a position is closed; -1 if it is not. */
  private static int closing(String text, int open) {
    int depth = 0;
    for (int i = open; i < text.length(); i++) {
      if (text.charAt(i) == '(') {
        depth++;
      } else if (text.charAt(i) == ')') {
        depth--;
        if (depth == 0) {
          return i;
        }
      }
    }
    return -1;
  }

  /** Returns the position of the next comma outside of brackets. */
  private static int partEnd(String text, int from, int close) {
    int depth = 0;
    for (int i = from; i < close; i++) {
      char letter = text.charAt(i);
      if (letter == '(' || letter == '<') {
        depth++;
      } else if (letter == ')' || letter == '>') {
        depth--;
      } else if (letter == ',' && depth == 0) {
        return i;
      }
    }
    return close;
  }

  private static final class Builder {
    private final Faults faults;
    private final Map<String, ColumnType> types = new LinkedHashMap<>();
    private final List<String> partitionKey = new ArrayList<>();
    private final List<String> clustering = new ArrayList<>();

    Builder(Faults faults) {
      this.faults = faults;
    }

    void part(String text, int line) {
      Matcher key = PRIMARY_KEY.matcher(text);
      Matcher column = COLUMN.matcher(text);
      if (key.matches()) {
        names(key.group(1) == null ? key.group(2) : key.group(1), partitionKey);
        names(key.group(3), clustering);
      } else if (column.matches()) {
        column(column, line);
      } else {
        types.put(text.split("\\s", 2)[0].toLowerCase(Locale.ROOT), null);
        faults.add(
            line,
            "column '%s' is not supported: use plain names, and types of %s",
            text.replaceAll("\\s+", " "),
            String.join(", ", ColumnType.ids()));
      }
    }

    private void column(Matcher column, int line) {
      String name = column.group(1).toLowerCase(Locale.ROOT);
      ColumnType type = ColumnType.of(column.group(2).toLowerCase(Locale.ROOT));
      if (type == null) {
        faults.add(
            line,
            "column %s has type '%s', which is not supported: use one of %s",
            name,
            column.group(2),
            String.join(", ", ColumnType.ids()));
      }
      types.put(name, type);
      if (column.group(4) != null) {
        partitionKey.add(name);
      }
    }

    private static void names(String list, List<String> to) {
      if (list != null) {
        for (String name : list.split(",")) {
          to.add(name.trim().toLowerCase(Locale.ROOT));
        }
      }
    }

    TableDefinition build(String name, String body, int line) {
      if (partitionKey.isEmpty()) {
        faults.add(line, "table_definition has no PRIMARY KEY: add it");
        return null;
      }
      for (List<String> keys : List.of(partitionKey, clustering)) {
        for (String key : keys) {
          if (!types.containsKey(key)) {
            faults.add(line, "the PRIMARY KEY has '%s', which is no column: add it", key);
            return null;
          }
        }
      }
      return new TableDefinition(name, types, partitionKey, clustering, body);
    }
  }
}
