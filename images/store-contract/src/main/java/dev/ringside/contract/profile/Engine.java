package dev.ringside.contract.profile;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.TimeUnit;
import one.profiler.AsyncProfiler;

/** Starts async-profiler with the best sampling engine that works on this machine. */
final class Engine {
  private static final String CPU = ProfileEvent.CPU.id();

  /**
   * Engines for CPU time, the best first. async-profiler's {@code cpu} uses perf events where it
   * may sample the kernel.
   */
  private static final String[] OF_CPU = {CPU, "ctimer", "itimer"};

  /**
   * The shortest interval. A thread's timer first fires after one interval of CPU time, and the
   * rest that is left when the thread ends is lost: of 256 threads that used 14 ms each, intervals
   * of 10 ms accounted for a third of the time. The kernel checks timers at its ticks only; a
   * sample then counts for all intervals since the last.
   */
  private static final long USUAL_INTERVAL = TimeUnit.MILLISECONDS.toNanos(1);

  private static final long MAX_SAMPLES = 30_000;

  private Engine() {}

  /**
   * Starts to sample and returns the name of the engine.
   *
   * @throws Refusal if the event cannot be sampled
   */
  static String start(AsyncProfiler profiler, ProfileRequest request) throws Refusal, IOException {
    ProfileEvent event = request.event();
    try {
      if (event == ProfileEvent.CPU) {
        int processors = Runtime.getRuntime().availableProcessors();
        return startCpu(profiler, ",interval=" + interval(request.seconds(), processors));
      }
      start(profiler, event.id(), "");
      return event.id();
    } catch (IllegalStateException e) {
      throw refusal(event, String.valueOf(e.getMessage()));
    }
  }

  private static String startCpu(AsyncProfiler profiler, String interval) throws IOException {
    IllegalStateException failure = null;
    for (String engine : OF_CPU) {
      try {
        start(profiler, engine, interval);
      } catch (IllegalStateException e) {
        failure = e;
        continue;
      }
      if (!engine.equals(CPU)) {
        return engine;
      }
      if (hasPerfEvents()) {
        return "perf_events";
      }
      // async-profiler used another engine and does not report which.
      profiler.stop();
    }
    throw failure;
  }

  private static void start(AsyncProfiler profiler, String event, String options)
      throws IOException {
    profiler.execute("start,threads,loglevel=none,event=" + event + options);
  }

  /**
   * Returns the CPU time between samples, in ns. {@value #MAX_SAMPLES} samples are enough for any
   * flame graph, and each can add a stack of some kB.
   */
  static long interval(int seconds, int processors) {
    long all = TimeUnit.SECONDS.toNanos(seconds) * processors;
    return Math.max(USUAL_INTERVAL, all / MAX_SAMPLES);
  }

  /** Reports whether this process has perf events open; each sampled thread has one. */
  private static boolean hasPerfEvents() throws IOException {
    try (DirectoryStream<Path> open = Files.newDirectoryStream(Paths.get("/proc/self/fd"))) {
      for (Path descriptor : open) {
        if (isPerfEvent(descriptor)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isPerfEvent(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().contains("[perf_event]");
    } catch (IOException e) {
      return false; // closed since
    }
  }

  private static Refusal refusal(ProfileEvent event, String fault) {
    if (fault.contains("already started")) {
      return new Refusal(
          Refusal.BUSY, "somebody else profiles this process: ask again when that has ended");
    }
    String mend =
        fault.contains("debug symbols")
            ? "install the debug symbols of its Java (openjdk-8-dbg), or take a Java from 11 on"
            : "profile another event";
    return new Refusal(
        Refusal.CANNOT, event.id() + " cannot be sampled here (" + fault + "): " + mend);
  }
}
