package dev.ringside.thrift.internal.habits;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.jspecify.annotations.Nullable;

/**
 * Reads the state of a thread from the kernel. Java reports a thread that waits in a socket, a file
 * or native code as running. Works on Linux only; elsewhere nothing is known.
 */
public final class KernelThread {
  private static final Path PROC = Paths.get("/proc");

  /** Stands for a thread on a platform that does not report states. */
  private static final KernelThread UNKNOWN = new KernelThread(null);

  private final @Nullable Path stat;

  private KernelThread(@Nullable Path stat) {
    this.stat = stat;
  }

  /** Returns the current thread. Costs some 20 µs. */
  public static KernelThread current() {
    try {
      // The link has the form <process>/task/<thread>.
      Path link = Files.readSymbolicLink(PROC.resolve("thread-self"));
      return new KernelThread(PROC.resolve(link).resolve("stat"));
    } catch (IOException | RuntimeException e) {
      return UNKNOWN;
    }
  }

  /**
   * Reports whether the thread waits for something other than a processor. May be called from any
   * thread. Costs some 10 µs of system calls that do not block.
   */
  public boolean waits() {
    if (stat == null) {
      return false;
    }
    try {
      String line = new String(Files.readAllBytes(stat), StandardCharsets.ISO_8859_1);
      // The state is behind the name, which is in parentheses and may hold anything.
      char state = line.charAt(line.lastIndexOf(')') + 2);
      return state == 'S' || state == 'D';
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
