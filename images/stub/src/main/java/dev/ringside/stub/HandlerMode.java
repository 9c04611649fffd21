package dev.ringside.stub;

import dev.ringside.cpu.CpuWork;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the handler does before it answers: nothing, sleep, or use CPU time. */
interface HandlerMode {
  /** The forms of a mode. */
  String FORMS = "at-once, sleep:<n>ms or cpu:<n>us";

  /** Delays one request, on the thread that runs it. */
  void run() throws InterruptedException;

  /**
   * Parses a mode. A mode that uses CPU time is calibrated here, which takes some 0.1 s.
   *
   * @throws IllegalArgumentException with a message of one line that lists the forms
   */
  @SuppressWarnings("deprecation") // getId since Java 19, and Java 8 has nothing else
  static HandlerMode parse(String text) {
    if (text.equals("at-once")) {
      return () -> {};
    }
    Matcher form = Pattern.compile("sleep:([0-9]{1,6})ms|cpu:([0-9]{1,6})us").matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "handler is '" + text + "': write " + FORMS + ", such as sleep:100ms");
    }
    if (form.group(1) != null) {
      long millis = Long.parseLong(form.group(1));
      return () -> TimeUnit.MILLISECONDS.sleep(millis);
    }
    CpuWork work = CpuWork.ofMicros(Long.parseLong(form.group(2)));
    return () -> {
      if (work.run(Thread.currentThread().getId()) == 0) {
        throw new IllegalStateException("xorshift never gives 0");
      }
    };
  }
}
