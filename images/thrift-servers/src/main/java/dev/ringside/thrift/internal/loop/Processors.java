package dev.ringside.thrift.internal.loop;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;

/** Reads the processors that this JVM may use: those of its container, or else of the machine. */
public final class Processors {
  private final OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();

  /** Returns how many there are. */
  public int count() {
    return system.getAvailableProcessors();
  }

  /**
   * Returns how many were idle on average since the last call; all of them where the JVM does not
   * know. Costs some hundred µs.
   */
  @SuppressWarnings("deprecation") // its new name is not known to Java 8
  public double idle() {
    int all = count();
    if (!(system instanceof com.sun.management.OperatingSystemMXBean)) {
      return all;
    }
    double load = ((com.sun.management.OperatingSystemMXBean) system).getSystemCpuLoad();
    return load >= 0 ? (1 - load) * all : all;
  }
}
