package dev.ringside.contract;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a proof says about the JVM. */
final class JvmEnvironment {
  private static final Pattern SECRET =
      Pattern.compile("passw|passphrase|secret|token|credential", Pattern.CASE_INSENSITIVE);

  /** Stands for a secret. */
  static final String HIDDEN = "***";

  private JvmEnvironment() {}

  /** jvm, jvm_flags and heap_max_bytes of this process. */
  static Map<String, String> ofProcess() {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put(
        "jvm", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    environment.put("jvm_flags", flags(ManagementFactory.getRuntimeMXBean().getInputArguments()));
    environment.put("heap_max_bytes", Long.toString(Runtime.getRuntime().maxMemory()));
    return environment;
  }

  /** The arguments in one line; one that seems to hold a secret keeps its name only. */
  static String flags(List<String> arguments) {
    return arguments.stream().map(JvmEnvironment::withoutSecret).collect(Collectors.joining(" "));
  }

  /** Looks at the value too: an agent's options are names and values again. */
  static String withoutSecret(String argument) {
    int value = argument.indexOf('=') + 1;
    return value > 0 && isSecret(argument) ? argument.substring(0, value) + HIDDEN : argument;
  }

  /** Reports whether a name, or a text with names in it, seems to be that of a secret. */
  static boolean isSecret(String text) {
    return SECRET.matcher(text).find();
  }
}
