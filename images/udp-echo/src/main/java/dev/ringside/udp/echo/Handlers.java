package dev.ringside.udp.echo;

import dev.ringside.cpu.CpuWork;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Creates handlers by their names in settings. */
final class Handlers {
  /** Valid forms of a name. */
  static final String FORMS = "upper-case, shared-counter or cpu:<n>us";

  private static final Pattern CPU = Pattern.compile("cpu:([0-9]{1,6})us");

  private Handlers() {}

  /**
   * Parses a name. Calibrates a handler that uses CPU time, which takes about 0.1 s.
   *
   * @throws IllegalArgumentException with one line that lists the forms
   */
  static Handler parse(String text) {
    switch (text) {
      case "upper-case":
        return new UpperCase();
      case "shared-counter":
        return new SharedCounter();
      default:
        Matcher cpu = CPU.matcher(text);
        if (!cpu.matches()) {
          throw new IllegalArgumentException(
              "handler is '" + text + "': write " + FORMS + ", such as cpu:50us");
        }
        return new CpuBound(CpuWork.ofMicros(Long.parseLong(cpu.group(1))));
    }
  }
}
