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
 * Samples this JVM, for one client at a time. async-profiler's library is loaded for the first one
 * and stays, at rest between profiles.
 */
final class Sampler {
  private static final long MAX_ANSWER_BYTES = 16L << 20;

  /** How long to sample: until it returns, or throws because nobody wants to know any more. */
  interface Wait {
    void seconds(int seconds) throws IOException;
  }

  private final AtomicBoolean busy = new AtomicBoolean();
  private final String ownThreads;

  /**
   * Loads nothing yet.
   *
   * @param ownThreads threads whose names begin with that are left out
   */
  Sampler(String ownThreads) {
    this.ownThreads = ownThreads;
  }

  /**
   * Samples for as long as {@code wait} takes, and has stopped when this returns or throws.
   *
   * @throws Refusal where that cannot be done
   * @throws IOException if {@code wait} does
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

  /** Through a file: as one text, they could be more than the heap has room for. */
  private static void read(AsyncProfiler profiler, FoldedStacks stacks) throws IOException {
    Path file = Files.createTempFile("profile-", ".collapsed");
    try {
      profiler.execute("collapsed,total,loglevel=none,file=" + file);
      // Not Files.newBufferedReader, which refuses a name that is not quite UTF-8.
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
