package dev.ringside.cassandra.node;

import java.math.BigInteger;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The place of this node in its store: what the chart writes into the pod's environment. */
final class Pod {
  private static final int MAX_PORT = 65_535;
  private static final int MAX_NODES = 1_000;

  /** The tokens of Murmur3Partitioner: 2^64, from -2^63. */
  private static final BigInteger TOKENS = BigInteger.ONE.shiftLeft(Long.SIZE);

  private static final BigInteger FIRST_TOKEN = BigInteger.valueOf(Long.MIN_VALUE);

  private final UnaryOperator<String> environment;

  /** Creates the object; the environment is read when it is asked. */
  Pod(UnaryOperator<String> environment) {
    this.environment = environment;
  }

  static Pod ofProcess() {
    return new Pod(System::getenv);
  }

  /** Returns a variable. */
  String text(String name) {
    String value = environment.apply(name);
    if (value == null || value.isEmpty()) {
      throw new IllegalArgumentException(name + " is not set; set it as charts/cassandra-cql does");
    }
    return value;
  }

  /** Returns a variable that is a port; 0 if it is not set. */
  int port(String name) {
    String value = environment.apply(name);
    return value == null || value.isEmpty() ? 0 : number(name, value, MAX_PORT);
  }

  private static int number(String name, String value, int most) {
    if (value.matches("[0-9]{1,9}") && Integer.parseInt(value) <= most) {
      return Integer.parseInt(value);
    }
    throw new IllegalArgumentException(
        name + " is \"" + value + "\"; set it to a whole number of at most " + most);
  }

  String address() {
    return text("POD_IP");
  }

  /** Returns the name of the node's server. */
  String server() {
    return text("RINGSIDE_SERVERS").split(":", 2)[0];
  }

  /** Returns the port of the node's server. */
  int serverPort() {
    String[] server = text("RINGSIDE_SERVERS").split(":", 2);
    return number("the port in RINGSIDE_SERVERS", server[server.length - 1], MAX_PORT);
  }

  /** Returns the number of nodes of the store. */
  int nodes() {
    return number("RINGSIDE_NODES", text("RINGSIDE_NODES"), MAX_NODES);
  }

  /** Returns the number of copies of each row. */
  int replicationFactor() {
    return number("RINGSIDE_REPLICATION_FACTOR", text("RINGSIDE_REPLICATION_FACTOR"), MAX_NODES);
  }

  /** Returns the version of Cassandra that the node can be upgraded to; empty if to none. */
  Optional<String> upgradeVersion() {
    return Optional.ofNullable(environment.apply("RINGSIDE_UPGRADE_VERSION"));
  }

  /** Reports whether the other nodes join through this one. */
  boolean isSeed() {
    return ordinal() == 0;
  }

  /** Returns the name or address of the seed. A name of its own might not be known yet. */
  String seed() {
    return isSeed() ? address() : text("RINGSIDE_SEED");
  }

  /**
   * Returns the node's token. Nodes are spread evenly, so that each has the same share of the keys
   * and all can join at once without moving data.
   */
  String token() {
    BigInteger place = TOKENS.multiply(BigInteger.valueOf(ordinal()));
    return place.divide(BigInteger.valueOf(nodes())).add(FIRST_TOKEN).toString();
  }

  /** Returns the pod's number in its StatefulSet, from 0. */
  private int ordinal() {
    String name = text("POD_NAME");
    int ordinal = number("the number in POD_NAME", name.replaceFirst(".*-", ""), MAX_NODES);
    if (ordinal >= nodes()) {
      throw new IllegalArgumentException(
          "POD_NAME is " + name + ", but RINGSIDE_NODES is " + nodes() + "; raise the latter");
    }
    return ordinal;
  }
}
