package dev.ringside.contract;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The line by which a store proves which server runs: the class of the running object, the bytes of
 * the jar it was started from, and what it runs on. The operator reads it from the log
 * (charts/README.md).
 */
public final class ServerProof {
  /** What stands in front of the JSON object. */
  public static final String MARK = "ringside-proof ";

  /** Characters of a setting's value. */
  static final int MAX_SETTING = 200;

  private final String jarSha256;
  private final Map<String, String> environment = new LinkedHashMap<>();
  private final Map<String, String> settings = new TreeMap<>();
  private final Map<String, String> defaults = new TreeMap<>();

  private ServerProof(String jarSha256) {
    this.jarSha256 = jarSha256;
    environment.putAll(JvmEnvironment.ofProcess());
    settings.putAll(JvmSettings.ofProcess());
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

  /**
   * Adds a setting with which all servers of the process run. Text whose name seems to be that of a
   * secret is not told, and a long value is cut.
   *
   * @param isDefault whether the store would have it if nobody had set it
   */
  public ServerProof withSetting(String name, Object value, boolean isDefault) {
    String text = String.valueOf(value);
    if (value instanceof CharSequence && JvmEnvironment.isSecret(name)) {
      text = JvmEnvironment.HIDDEN;
    }
    (isDefault ? defaults : settings)
        .put(name, text.substring(0, Math.min(text.length(), MAX_SETTING)));
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
    proof.put("settings", settings);
    proof.put("defaults", defaults);
    return MARK + Json.object(proof);
  }
}
