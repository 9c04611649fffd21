package dev.ringside.contract.profile;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import one.profiler.AsyncProfiler;

/**
 * Samples this JVM, for one client at a time. async-profiler's library is loaded for the first
 * profile and stays loaded, inactive between profiles. Safe for any number of threads.
 */
final class Sampler {
  private static final long MAX_ANSWER_BYTES = 16L << 20;

  /**
   * The duration of a profile: until {@link #seconds} returns, or throws because the client is
   * gone.
   */
  interface Wait {
    void seconds(int seconds) throws IOException;
  }

  private final AtomicBoolean busy = new AtomicBoolean();
  private final String ownThreads;

  /**
   * Creates a sampler; the library is not loaded yet.
   *
   * @param ownThreads prefix of the names of threads that are left out
   */
  Sampler(String ownThreads) {
    this.ownThreads = ownThreads;
  }

  /**
   * Samples until {@code wait} returns. Sampling has stopped when this returns or throws.
   *
   * @throws Refusal if the event cannot be sampled
   * @throws IOException if {@code wait} throws it
   */
  Profile sample(ProfileRequest request, Wait wait) throws Refusal, IOException {
    if (!busy.compareAndSet(false, true)) {
      throw new Refusal(Refusal.BUSY, "a profile is under way: ask again when it has ended");
    }
    try {
      AsyncProfiler profiler = Library.load();
      String engine = start(profiler, request);
      try {
        wait.seconds(request.seconds());
      } finally {
        profiler.stop();
      }
      return new Profile(engine, request.event().unit(), profiler.getSamples(), stacks(profiler));
    } finally {
      busy.set(false);
    }
  }

  private static String start(AsyncProfiler profiler, ProfileRequest request) throws Refusal {
    try {
      return Engine.start(profiler, request);
    } catch (IOException e) {
      throw new Refusal(Refusal.FAILED, "sampling cannot begin (" + e + "): mount /proc");
    }
  }

  private FoldedStacks stacks(AsyncProfiler profiler) throws Refusal {
    FoldedStacks stacks = new FoldedStacks(MAX_ANSWER_BYTES, ownThreads);
    try {
      read(profiler, stacks);
      return stacks;
    } catch (IOException e) {
      throw new Refusal(
          Refusal.FAILED,
          String.format(
              "the stacks cannot be written to %s (%s): make room there",
              System.getProperty("java.io.tmpdir"), e));
    }
  }

  /** Reads the stacks from a file, because as one string they could be larger than the heap. */
  private static void read(AsyncProfiler profiler, FoldedStacks stacks) throws IOException {
    Path file = Files.createTempFile("profile-", ".collapsed");
    try {
      profiler.execute("collapsed,total,loglevel=none,file=" + file);
      // Files.newBufferedReader would throw on names that are not valid UTF-8.
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          stacks.add(line);
        }
      }
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
