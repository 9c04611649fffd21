package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.metrics.Failure;
import dev.ringside.thrift.internal.metrics.Failures;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.apache.thrift.TApplicationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class FailuresTest {
  private final Faults faults = new Faults();

  @Test
  void shouldNotThrowThoughTheLoggerDoes() throws Exception {
    Failures failures = new Failures("test");
    try (AutoCloseable logger = faults.inLogger()) {
      faults.arm(1, Integer.MAX_VALUE);
      failures.add(Failure.WORKER, "a test", "", new OutOfMemoryError("on purpose"));
      assertTrue(faults.steps() > 0, "nothing was logged");
    }
    assertEquals(1, failures.sum());
  }

  /** Clients must not be able to fill the log. */
  @Test
  void shouldLogFewLinesOfManyRequestsThatFail() throws Exception {
    TestService service =
        new TestService()
            .on(
                "fail",
                argument -> {
                  throw new IllegalStateException("on purpose");
                });
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    long began = System.nanoTime();
    try (AutoCloseable logger = faults.inLogger();
        PrintStream err = new PrintStream(log, true);
        RunningServer server = new RunningServer(service);
        Client client = server.connect()) {
      System.setErr(err);
      for (int i = 0; i < 500; i++) {
        assertThrows(TApplicationException.class, () -> client.call("fail", new byte[1]));
      }
      assertEquals(500, server.metrics().handlerFailures.sum());
    }
    long seconds = (System.nanoTime() - began) / 1_000_000_000 + 1;
    assertTrue(log.toString().contains(" fail "), "the log does not name the method");
    assertTrue(log.toString().contains("server test-"), "the log does not name the server");
    int lines = log.toString().split("a request.* failed", -1).length - 1;
    assertTrue(lines >= 1 && lines <= seconds + 1, lines + " lines in " + seconds + " s");
  }
}
