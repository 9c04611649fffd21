package dev.ringside.contract;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The line by which a store proves which server runs: the class of the running object, the bytes of
 * the jar it was started from, and what it runs on. The operator reads it from the log
 * (charts/README.md).
 */
public final class ServerProof {
  /** What stands in front of the JSON object. */
  public static final String MARK = "ringside-proof ";

  private final String jarSha256;
  private final Map<String, String> environment = new LinkedHashMap<>();

  private ServerProof(String jarSha256) {
    this.jarSha256 = jarSha256;
    environment.putAll(JvmEnvironment.ofProcess());
  }

  /**
   * A proof whose {@code plugin_sha256} is that of the jar which {@code type} was loaded from,
   * {@value CodeJar#UNKNOWN} if it came from a folder. Reads the whole jar.
   *
   * @throws java.io.UncheckedIOException if the jar cannot be read any more
   */
  public static ServerProof ofJarOf(Class<?> type) {
    return new ServerProof(CodeJar.of(type).sha256());
  }

  /** Adds what all servers of the process have in common to the environment. */
  public ServerProof with(String name, Object value) {
    environment.put(name, String.valueOf(value));
    return this;
  }

  /** Adds the version of the library that {@code type} is of, where its jar's name tells one. */
  public ServerProof withVersionOf(Class<?> type, String library) {
    String version = CodeJar.of(type).versionOf(library);
    return version == null ? this : with(library, version);
  }

  /**
   * One line of ASCII: {@value #MARK} and a JSON object.
   *
   * @param server the server's name
   * @param running class of the object that makes this server what it is
   * @param address where it listens, with {@code port}
   * @param own what belongs to the environment of this server alone, such as its numbers of threads
   */
  public String line(
      String server, Class<?> running, String address, int port, Map<String, ?> own) {
    Map<String, Object> all = new LinkedHashMap<>(environment);
    own.forEach((name, value) -> all.put(name, String.valueOf(value)));
    Map<String, Object> proof = new LinkedHashMap<>();
    proof.put("server", server);
    proof.put("class", running.getName());
    proof.put("address", address);
    proof.put("port", port);
    proof.put("plugin_sha256", jarSha256);
    proof.put("environment", all);
    return MARK + Json.object(proof);
  }
}
