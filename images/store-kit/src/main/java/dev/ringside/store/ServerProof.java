package dev.ringside.store;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The line by which a store proves which server runs (charts/README.md): the class of the running
 * object, the bytes of the jar that it was started from, and what it runs on. The operator reads it
 * from the log.
 */
public final class ServerProof {
  /** What stands in front of the JSON object. */
  public static final String MARK = "ringside-proof ";

  private static final Pattern SECRET =
      Pattern.compile("passw|passphrase|secret|token|credential", Pattern.CASE_INSENSITIVE);

  private final String jarSha256;
  private final String address;
  private final Map<String, Object> environment = new LinkedHashMap<>();

  /**
   * A proof whose {@code plugin_sha256} is that of the jar which {@code main} was loaded from;
   * {@code unknown} if it came from a folder. Reads the whole jar.
   *
   * @param address where the servers listen
   */
  public ServerProof(Class<?> main, String address) {
    jarSha256 = CodeJar.sha256Of(main);
    this.address = address;
    environment.put(
        "jvm", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    environment.put("jvm_flags", flags(ManagementFactory.getRuntimeMXBean().getInputArguments()));
    environment.put("heap_max_bytes", Runtime.getRuntime().maxMemory());
  }

  /** Adds what all servers of the process have in common to the environment. */
  public ServerProof with(String name, Object value) {
    environment.put(name, value);
    return this;
  }

  /**
   * One line of ASCII.
   *
   * @param running class of the object that makes this server what it is
   * @param own what belongs to the environment of this server alone
   */
  public String line(HostedServer server, Class<?> running, Map<String, ?> own) {
    Map<String, Object> all = new LinkedHashMap<>(environment);
    all.putAll(own);
    all.replaceAll((name, value) -> String.valueOf(value));
    Map<String, Object> proof = new LinkedHashMap<>();
    proof.put("server", server.name());
    proof.put("class", running.getName());
    proof.put("address", address);
    proof.put("port", server.port());
    proof.put("plugin_sha256", jarSha256);
    proof.put("environment", all);
    return MARK + Json.object(proof);
  }

  /** The arguments in one line; one that seems to hold a secret keeps its name only. */
  static String flags(List<String> arguments) {
    return arguments.stream().map(ServerProof::withoutSecret).collect(Collectors.joining(" "));
  }

  private static String withoutSecret(String argument) {
    int value = argument.indexOf('=') + 1;
    return value > 0 && SECRET.matcher(argument).find()
        ? argument.substring(0, value) + "***"
        : argument;
  }
}
