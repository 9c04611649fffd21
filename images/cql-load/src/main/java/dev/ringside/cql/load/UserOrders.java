package dev.ringside.cql.load;

import dev.ringside.cql.load.profile.ProfileException;
import dev.ringside.cql.load.profile.UserProfile;
import dev.ringside.load.OrderSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Holds a user profile, and the shares of its operations.
 *
 * @param profile null if there is none
 * @param ops shares by name; empty if they are not set
 */
record UserOrders(UserProfile profile, Map<String, Integer> ops) {
  static final String PROFILE = OrderSource.parameter("profile");
  static final String OPS = OrderSource.parameter("ops");

  /** Ends the outcome of a query that found nothing. */
  static final String EMPTY = "-empty";

  private static final String REPLICATION_FACTOR = "RINGSIDE_REPLICATION_FACTOR";

  /** Each can have two outcomes, and a load can have 16. */
  private static final int MOST_OPS = 8;

  private static final String OP = "([A-Za-z][A-Za-z0-9_]{0,23})=([1-9][0-9]{0,5})";
  private static final Pattern FORM = Pattern.compile("ops\\(" + OP + "(," + OP + ")*\\)");

  /** Reads the orders. Errors are added to the source. */
  static UserOrders of(OrderSource in) {
    return new UserOrders(profile(in), ops(in));
  }

  private static UserProfile profile(OrderSource in) {
    if (!in.has(PROFILE)) {
      return null;
    }
    try {
      UserProfile profile = UserProfile.read(in.text(PROFILE, ""));
      if (in.has(REPLICATION_FACTOR)) {
        profile.checkReplicationFactor(in.number(REPLICATION_FACTOR, 1));
      }
      return profile;
    } catch (ProfileException e) {
      e.faults().forEach(fault -> in.refuse(PROFILE + " " + fault));
      return null;
    }
  }

  private static Map<String, Integer> ops(OrderSource in) {
    Map<String, Integer> ops = new LinkedHashMap<>();
    String text = in.text(OPS, "");
    if (text.isEmpty()) {
      return ops;
    }
    if (!FORM.matcher(text).matches()) {
      in.refuse(String.format("%s is '%s': write it as in ops(insert=1,one=3)", OPS, text));
      return ops;
    }
    Matcher op = Pattern.compile(OP).matcher(text);
    while (op.find()) {
      if (ops.put(op.group(1), Integer.parseInt(op.group(2))) != null) {
        in.refuse(String.format("%s has '%s' twice: remove one", OPS, op.group(1)));
      }
    }
    if (ops.size() > MOST_OPS) {
      in.refuse(String.format("%s has %d operations: use up to %d", OPS, ops.size(), MOST_OPS));
    }
    refuseEqualOutcomes(in, ops.keySet());
    return ops;
  }

  /** Reports operations that would be counted together. */
  private static void refuseEqualOutcomes(OrderSource in, Set<String> names) {
    Map<String, String> counted = new HashMap<>();
    for (String name : names) {
      String found = outcome(name);
      boolean writes = name.equals(UserProfile.INSERT);
      for (String outcome : writes ? List.of(found) : List.of(found, found + EMPTY)) {
        String other = counted.putIfAbsent(outcome, name);
        if (other != null) {
          in.refuse(
              String.format(
                  "%s has '%s' and '%s', which both count as the outcome %s: rename one",
                  OPS, other, name, outcome));
        }
      }
    }
  }

  /** Returns the outcome of an operation that found something, or writes. */
  static String outcome(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Reports what an operation {@code user} lacks. */
  void checkComplete(OrderSource in) {
    if (profile == null) {
      in.refuse(PROFILE + " is empty: the operation user needs a profile of cassandra-stress");
      return;
    }
    if (ops.isEmpty()) {
      in.refuse(OPS + " is empty: the operation user needs one, as in ops(insert=1)");
    }
    for (String name : ops.keySet()) {
      if (!profile.operations().contains(name)) {
        in.refuse(
            String.format(
                "%s has '%s': the profile has %s",
                OPS, name, String.join(", ", profile.operations())));
      }
    }
  }
}
