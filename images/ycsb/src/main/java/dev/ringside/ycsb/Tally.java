package dev.ringside.ycsb;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/** What was answered and what failed, over all threads. */
final class Tally {
  private final LongAdder answered = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder keys = new LongAdder();
  private volatile String lastFault = "";

  void answered(int records) {
    answered.increment();
    keys.add(records);
  }

  void failed(String fault) {
    failed.increment();
    lastFault = fault;
  }

  long answered() {
    return answered.sum();
  }

  long failed() {
    return failed.sum();
  }

  String lastFault() {
    return lastFault;
  }

  /** Writes the summary that meter holds against the log. Failed operations are not in the log. */
  void write(Path file) throws IOException {
    Files.write(
        file,
        Arrays.asList(
            "operations=" + answered.sum(), "errors=" + failed.sum(), "keys=" + keys.sum()),
        StandardCharsets.UTF_8);
  }
}
