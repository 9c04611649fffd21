package dev.ringside.contract;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The line with which a store proves which server runs: the class of the running object, the
 * checksum of its jar, and its environment. The operator reads it from the log
 * (docs/reference/store-contract.md).
 */
public final class ServerProof {
  /** The prefix of the JSON object. */
  public static final String MARK = "ringside-proof ";

  /** The most characters of a setting's value. */
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
   * Returns a proof with the checksum of the jar that {@code type} was loaded from as {@code
   * plugin_sha256}; {@value CodeJar#UNKNOWN} if it was loaded from a folder. Reads the whole jar.
   *
   * @throws java.io.UncheckedIOException if the jar can no longer be read
   */
  public static ServerProof ofJarOf(Class<?> type) {
    return new ServerProof(CodeJar.of(type).sha256());
  }

  /** Adds a value to the environment of all servers of the process. */
  public ServerProof with(String name, Object value) {
    environment.put(name, String.valueOf(value));
    return this;
  }

  /**
   * Adds a setting that all servers of the process use. A text is hidden if its name looks like
   * that of a secret; a long value is cut.
   *
   * @param isDefault whether this is the store's default value
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

  /**
   * Adds the version of the library that {@code type} belongs to, if the name of its jar contains
   * it.
   */
  public ServerProof withVersionOf(Class<?> type, String library) {
    String version = CodeJar.of(type).versionOf(library);
    return version == null ? this : with(library, version);
  }

  /**
   * Returns the proof as one line of ASCII: {@value #MARK} and a JSON object.
   *
   * @param server name of the server
   * @param running class of the object that implements this server
   * @param address where it listens, with {@code port}
   * @param own environment of this server alone, such as its numbers of threads
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
