package dev.ringside.contract;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The part of a proof that describes the JVM. */
final class JvmEnvironment {
  private static final Pattern SECRET =
      Pattern.compile("passw|passphrase|secret|token|credential", Pattern.CASE_INSENSITIVE);

  /** Replaces a secret. */
  static final String HIDDEN = "***";

  private JvmEnvironment() {}

  /** Returns jvm, jvm_flags and heap_max_bytes of this process. */
  static Map<String, String> ofProcess() {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put(
        "jvm", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    environment.put("jvm_flags", flags(ManagementFactory.getRuntimeMXBean().getInputArguments()));
    environment.put("heap_max_bytes", Long.toString(Runtime.getRuntime().maxMemory()));
    return environment;
  }

  /** Returns the arguments in one line; of an argument that may contain a secret, only the name. */
  static String flags(List<String> arguments) {
    return arguments.stream().map(JvmEnvironment::withoutSecret).collect(Collectors.joining(" "));
  }

  /**
   * Returns the argument without its value if it may contain a secret. It checks the value too,
   * because an agent's options are names and values again.
   */
  static String withoutSecret(String argument) {
    int value = argument.indexOf('=') + 1;
    return value > 0 && isSecret(argument) ? argument.substring(0, value) + HIDDEN : argument;
  }

  /** Reports whether a name, or a text that contains names, looks like that of a secret. */
  static boolean isSecret(String text) {
    return SECRET.matcher(text).find();
  }
}
