package dev.ringside.contract;

import java.util.Map;

/** Writes the JSON of the proof, so that a store needs no JSON library for it. */
final class Json {
  private Json() {}

  /**
   * Returns an object in one line, with the members in the order of the map.
   *
   * @param members values: integers, maps of the same kind; any other value is written as text
   */
  static String object(Map<?, ?> members) {
    StringBuilder json = new StringBuilder();
    append(json, members);
    return json.toString();
  }

  private static void append(StringBuilder json, Object value) {
    if (value instanceof Map) {
      String separator = "{";
      for (Map.Entry<?, ?> member : ((Map<?, ?>) value).entrySet()) {
        json.append(separator);
        quote(json, member.getKey().toString());
        json.append(':');
        append(json, member.getValue());
        separator = ",";
      }
      json.append(separator.equals("{") ? "{}" : "}");
    } else if (value instanceof Integer || value instanceof Long) {
      json.append(value);
    } else {
      quote(json, String.valueOf(value));
    }
  }

  /**
   * Escapes all but printable ASCII, so that the log's character set does not matter and no value
   * contains a line end.
   */
  private static void quote(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c >= ' ' && c <= '~') {
        json.append(c);
      } else {
        json.append(String.format("\\u%04x", (int) c));
      }
    }
    json.append('"');
  }
}
