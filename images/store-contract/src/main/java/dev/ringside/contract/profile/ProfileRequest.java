package dev.ringside.contract.profile;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parameters of {@code GET /profile?event=cpu&seconds=10}. */
final class ProfileRequest {
  private static final int MAX_SECONDS = 600;
  private static final Pattern LINE =
      Pattern.compile("([A-Z]+) ([^ ?]+)(?:\\?([^ ]*))? HTTP/1\\.[01]");

  private final ProfileEvent event;
  private final int seconds;

  private ProfileRequest(ProfileEvent event, int seconds) {
    this.event = event;
    this.seconds = seconds;
  }

  /**
   * Parses the first line of a request.
   *
   * @throws Refusal if it is not a valid request for a profile
   */
  static ProfileRequest parse(String line) throws Refusal {
    Matcher request = LINE.matcher(line);
    if (!request.matches()) {
      throw new Refusal(Refusal.BAD_REQUEST, "this is no HTTP/1.1 request: ask with curl");
    }
    if (!request.group(2).equals("/profile")) {
      throw new Refusal(
          Refusal.NO_SUCH_PATH, "there is nothing at " + request.group(2) + ": ask for /profile");
    }
    if (!request.group(1).equals("GET")) {
      throw new Refusal(
          Refusal.NO_SUCH_METHOD, "/profile knows no " + request.group(1) + ": ask with GET");
    }
    Map<String, String> parameters = parameters(request.group(3));
    return new ProfileRequest(
        ProfileEvent.of(parameters.getOrDefault("event", "")),
        seconds(parameters.getOrDefault("seconds", "")));
  }

  private static Map<String, String> parameters(String query) throws Refusal {
    Map<String, String> parameters = new HashMap<>();
    if (query == null || query.isEmpty()) {
      return parameters;
    }
    for (String each : query.split("&", -1)) {
      int equals = each.indexOf('=');
      String name = equals < 0 ? each : each.substring(0, equals);
      if (!name.equals("event") && !name.equals("seconds")) {
        throw new Refusal(
            Refusal.BAD_REQUEST,
            "there is no parameter '" + name + "': /profile takes event and seconds");
      }
      if (parameters.put(name, equals < 0 ? "" : each.substring(equals + 1)) != null) {
        throw new Refusal(Refusal.BAD_REQUEST, name + " is there twice: give it once");
      }
    }
    return parameters;
  }

  private static int seconds(String text) throws Refusal {
    int seconds = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
    if (seconds < 1 || seconds > MAX_SECONDS) {
      throw new Refusal(
          Refusal.BAD_REQUEST,
          "seconds is '" + text + "': give a whole number from 1 to " + MAX_SECONDS);
    }
    return seconds;
  }

  ProfileEvent event() {
    return event;
  }

  int seconds() {
    return seconds;
  }
}
