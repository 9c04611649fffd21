package dev.ringside.contract.profile;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.TimeUnit;
import one.profiler.AsyncProfiler;

/** Starts async-profiler with what can sample an event here, and knows by what name to tell it. */
final class Engine {
  private static final String CPU = ProfileEvent.CPU.id();

  /** The best first. async-profiler's {@code cpu} is perf events where they may see the kernel. */
  private static final String[] OF_CPU = {CPU, "ctimer", "itimer"};

  /**
   * A thread's timer first tells of it after so long, and never of what is left: of 256 threads
   * that used 14 ms each, intervals of 10 ms showed a third. The kernel looks at timers in its
   * ticks, as many samples as it has, and counts what lies between them.
   */
  private static final long USUAL_INTERVAL = TimeUnit.MILLISECONDS.toNanos(1);

  private static final long MAX_SAMPLES = 30_000;

  private Engine() {}

  /** Begins to sample; the name of what does it. */
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
      // It fell back by itself, and does not say to what.
      profiler.stop();
    }
    throw failure;
  }

  private static void start(AsyncProfiler profiler, String event, String options)
      throws IOException {
    profiler.execute("start,threads,loglevel=none,event=" + event + options);
  }

  /**
   * CPU time from sample to sample, in ns. {@value #MAX_SAMPLES} samples are enough for any flame
   * graph, and each may bring a stack of some kB.
   */
  static long interval(int seconds, int processors) {
    long all = TimeUnit.SECONDS.toNanos(seconds) * processors;
    return Math.max(USUAL_INTERVAL, all / MAX_SAMPLES);
  }

  /** Whether this process has any open, of which each thread that is sampled has one. */
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
