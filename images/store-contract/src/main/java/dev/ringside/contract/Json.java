package dev.ringside.contract;

import java.util.Map;

/** JSON as far as the proof needs it: a store brings no JSON library for it. */
final class Json {
  private Json() {}

  /**
   * An object on one line, its members in the map's order.
   *
   * @param members values are integers, maps of the same kind, or anything else as text
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

  /** Escapes all but printable ASCII: no charset of a log and no reader of lines can break it. */
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
