package dev.ringside.bench.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes the facts about machine and settings that are needed to interpret the figures. */
final class Environment {
  private Environment() {}

  static void write(Path file, Settings settings, SyscallCounter.Tool syscalls, long seed)
      throws IOException {
    String cpu =
        Files.readAllLines(Path.of("/proc/cpuinfo"), StandardCharsets.UTF_8).stream()
            .filter(line -> line.startsWith("model name"))
            .findFirst()
            .map(line -> line.substring(line.indexOf(':') + 1).trim())
            .orElse("unknown");
    Files.write(
        file,
        List.of(
            "kernel " + System.getProperty("os.version"),
            "cpus " + Runtime.getRuntime().availableProcessors() + " x " + cpu,
            "load average at the start "
                + Files.readString(Path.of("/proc/loadavg"), StandardCharsets.UTF_8).trim(),
            "jvm " + System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
            "jvm flags " + String.join(" ", settings.jvmFlags()),
            settings
                .threads()
                .map(all -> "workers " + all.workers() + ", selectors " + all.selectors())
                .orElse("workers and selectors by each library's defaults"),
            "servers on cpus " + orAll(settings.serverCpus()),
            "client on cpus " + orAll(settings.clientCpus()),
            "window " + settings.windowMillis() + " ms after " + settings.leadMillis() + " ms",
            "system calls counted by " + syscalls,
            "seed " + seed));
  }

  private static String orAll(String cpus) {
    return cpus.isEmpty() ? "all" : cpus;
  }
}
