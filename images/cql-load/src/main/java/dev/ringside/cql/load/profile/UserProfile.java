package dev.ringside.cql.load.profile;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A user profile of cassandra-stress: a table, its rows, and operations on it. */
public final class UserProfile {
  /** The name of the operation that writes. */
  public static final String INSERT = "insert";

  private static final Pattern REPLICATION_FACTOR =
      Pattern.compile("(?i)'replication_factor'\\s*:\\s*'?([0-9]+)'?");

  private final Profile profile;

  private UserProfile(Profile profile) {
    this.profile = profile;
  }

  /**
   * Reads a profile.
   *
   * @throws ProfileException with everything that is wrong or not supported
   */
  public static UserProfile read(String text) throws ProfileException {
    return new UserProfile(ProfileReader.read(text));
  }

  /** Returns the name of the keyspace. */
  public String keyspace() {
    return profile.keyspace();
  }

  /** Returns the name of the table. */
  public String table() {
    return profile.table().name();
  }

  /** Returns the names of all operations. */
  public Set<String> operations() {
    Set<String> names = new TreeSet<>(profile.queries().keySet());
    names.add(INSERT);
    return names;
  }

  /**
   * Verifies that the profile's keyspace has the replication factor of the store.
   *
   * @throws ProfileException if it has another one
   */
  public void checkReplicationFactor(int replicationFactor) throws ProfileException {
    Matcher stated = REPLICATION_FACTOR.matcher(profile.keyspaceDefinition());
    if (stated.find() && !stated.group(1).equals(Integer.toString(replicationFactor))) {
      throw new ProfileException(
          List.of(
              String.format(
                  "line %d: keyspace_definition has replication_factor %s, and the store has %d:"
                      + " change it, or remove the definition",
                  profile.keyspaceLine(), stated.group(1), replicationFactor)));
    }
  }

  /** Returns the statements that create the keyspace and the table, unless they are there. */
  public List<String> statements(int replicationFactor) {
    List<String> statements = new ArrayList<>();
    statements.add(
        profile.keyspaceDefinition().isEmpty()
            ? String.format(
                "CREATE KEYSPACE IF NOT EXISTS %s WITH replication = {'class': 'SimpleStrategy',"
                    + " 'replication_factor': %d}",
                profile.keyspace(), replicationFactor)
            : profile
                .keyspaceDefinition()
                .replaceFirst(
                    "(?is)^CREATE\\s+KEYSPACE\\s+(IF\\s+NOT\\s+EXISTS\\s+)?",
                    "CREATE KEYSPACE IF NOT EXISTS ")
                .replaceAll(";$", ""));
    statements.add(
        "CREATE TABLE IF NOT EXISTS "
            + profile.keyspace()
            + "."
            + profile.table().name()
            + " "
            + profile.table().body());
    return statements;
  }

  /**
   * Prepares operations in a session of the profile's keyspace.
   *
   * @throws ProfileException if a query has a variable that is no column of the table
   */
  public PreparedProfile prepare(CqlSession session, Set<String> operations)
      throws ProfileException {
    return new PreparedProfile(profile, session, operations);
  }
}
