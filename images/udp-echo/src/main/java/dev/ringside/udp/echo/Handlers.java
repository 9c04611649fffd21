package dev.ringside.udp.echo;

import dev.ringside.cpu.CpuWork;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Handlers by the name that a setting gives them. */
final class Handlers {
  /** What a handler may be. */
  static final String FORMS = "upper-case, shared-counter or cpu:<n>us";

  private static final Pattern CPU = Pattern.compile("cpu:([0-9]{1,6})us");

  private Handlers() {}

  /**
   * Reads a name. Burning CPU is calibrated here, which takes some 0.1 s.
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
