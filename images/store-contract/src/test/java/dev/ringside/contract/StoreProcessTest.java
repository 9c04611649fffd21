package dev.ringside.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class StoreProcessTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final ByteArrayOutputStream told = new ByteArrayOutputStream();
  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void shouldAskAServerAgainThatDoesNotAnswerAtOnce() throws Exception {
    assertEquals(
        0,
        check(
            LONG,
            server -> {
              if (asked.incrementAndGet() < 3) {
                throw new IOException("no route to host");
              }
            }));
    assertEquals(3, asked.get());
    assertEquals("", told.toString("UTF-8"));
  }

  @Test
  void shouldAskAgainForAServerWhoseNameIsNotKnownYet() throws Exception {
    assertEquals(
        0,
        check(
            LONG,
            server -> {
              if (asked.incrementAndGet() < 2) {
                throw new UnresolvedAddressException();
              }
            }));
    assertEquals(2, asked.get());
  }

  @Test
  void shouldSayWhyAServerWasAskedInVain() throws Exception {
    assertEquals(
        StoreProcess.FAILED,
        check(
            Duration.ZERO,
            server -> {
              throw new IOException(server + " does not answer");
            }));
    assertEquals("store: here:1 does not answer" + System.lineSeparator(), told.toString("UTF-8"));
  }

  @Test
  void shouldNotTryAgainWhatMakesNoSense() throws Exception {
    assertEquals(
        StoreProcess.BAD_SETTINGS,
        check(
            LONG,
            server -> {
              asked.incrementAndGet();
              throw new IllegalArgumentException("write host:port");
            }));
    assertEquals(1, asked.get());
  }

  private int check(Duration patience, StoreProcess.Check check) throws Exception {
    return StoreProcess.run(
        "store",
        new String[] {"check", "here:1"},
        () -> {},
        check,
        new PrintStream(told, true, "UTF-8"),
        patience);
  }
}
