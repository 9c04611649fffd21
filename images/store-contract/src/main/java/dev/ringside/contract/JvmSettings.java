package dev.ringside.contract;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The settings of the running JVM: its collectors, its heap, and the effective values of its
 * arguments. Agents are left out, because their addresses differ from pod to pod.
 */
final class JvmSettings {
  /** Value of an argument without a value of its own. */
  static final String SET = "set";

  private static final String PREFIX = "jvm.";
  private static final String FLAG = "-XX:";
  private static final String HEAP = "-Xmx";
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,12})([kKmMgGtT]?)");

  /** More than the largest region of a heap in bytes. */
  private static final long ROUNDING = 64L << 20;

  private static final List<String> ALWAYS = Arrays.asList("MaxHeapSize", "MaxNewSize");

  private JvmSettings() {}

  /** Returns the settings of this process by name; names begin with {@code jvm.}. */
  static Map<String, String> ofProcess() {
    HotSpotDiagnosticMXBean hotSpot =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    Map<String, String> settings =
        of(
            ManagementFactory.getRuntimeMXBean().getInputArguments(),
            flag -> hotSpot.getVMOption(flag).getValue());
    settings.put(
        PREFIX + "collectors",
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(collector -> collector.getName())
            .collect(Collectors.joining(", ")));
    return settings;
  }

  /**
   * Returns the effective values of the arguments.
   *
   * @param effective returns the value of an option by its name
   */
  static Map<String, String> of(List<String> arguments, Function<String, String> effective) {
    Map<String, String> settings = new TreeMap<>();
    for (String flag : ALWAYS) {
      settings.put(PREFIX + flag, valueOf(flag, effective));
    }
    for (String argument : arguments) {
      if (argument.startsWith("-javaagent:")
          || argument.startsWith("-agent")
          || argument.matches("-Xm[sn].*")) {
        continue;
      }
      if (argument.startsWith(HEAP)) {
        settings.put(
            PREFIX + HEAP,
            heap(argument.substring(HEAP.length()), valueOf("MaxHeapSize", effective)));
        continue;
      }
      String told = JvmEnvironment.withoutSecret(argument);
      if (told.startsWith(FLAG)) {
        String flag =
            told.substring(FLAG.length()).replaceFirst("^[+-]", "").replaceFirst("=.*", "");
        settings.put(PREFIX + flag, valueOf(flag, effective));
      } else if (told.startsWith("-D") && told.contains("=")) {
        int value = told.indexOf('=');
        settings.put(PREFIX + told.substring(0, value), told.substring(value + 1));
      } else {
        settings.put(PREFIX + told, SET);
      }
    }
    return settings;
  }

  /**
   * Returns the size of the heap as the argument has it if the JVM runs with it, at most rounded to
   * whole regions; else the effective size in bytes.
   */
  private static String heap(String argument, String effective) {
    Matcher size = SIZE.matcher(argument);
    if (!size.matches() || !effective.matches("[0-9]{1,18}")) {
      return argument;
    }
    int unit = "kmgt".indexOf(size.group(2).toLowerCase(Locale.ROOT)) + 1;
    long wanted = Long.parseLong(size.group(1)) << 10 * (size.group(2).isEmpty() ? 0 : unit);
    return Math.abs(Long.parseLong(effective) - wanted) < ROUNDING ? argument : effective;
  }

  private static String valueOf(String flag, Function<String, String> effective) {
    try {
      return effective.apply(flag);
    } catch (IllegalArgumentException e) {
      return SET;
    }
  }
}
