package dev.ringside.udp.echo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandlersTest {
  @ParameterizedTest
  @ValueSource(strings = {"upper-case", "shared-counter", "cpu:5us"})
  void shouldWriteInCapitalsWhateverElseTheyDo(String name) {
    assertEquals("AZ-09 @[`{~", handled(Handlers.parse(name), "az-09 @[`{~"));
  }

  @Test
  void shouldCountEveryRequestOfEveryThreadOnce() throws Exception {
    SharedCounter counter = assertInstanceOf(SharedCounter.class, Handlers.parse("shared-counter"));
    CountDownLatch go = new CountDownLatch(1);
    Thread[] threads = new Thread[4];
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          new Thread(
              () -> {
                try {
                  go.await();
                } catch (InterruptedException e) {
                  return;
                }
                for (int request = 0; request < 10_000; request++) {
                  handled(counter, "x");
                }
              });
      threads[i].start();
    }
    go.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(40_000, counter.count());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "upper", "cpu", "cpu:50", "cpu:1s", "cpu:1234567us", "sleep:1ms"})
  void shouldRefuseWhatTheyDoNotKnow(String name) {
    String fault =
        assertThrows(IllegalArgumentException.class, () -> Handlers.parse(name)).getMessage();
    assertTrue(fault.startsWith("handler is '" + name + "': write upper-case, "), fault);
  }

  @Test
  void shouldLeaveTheBytesAroundTheTextAlone() {
    ByteBuffer buffer = ByteBuffer.wrap("abcdef".getBytes(StandardCharsets.US_ASCII));
    buffer.position(2).limit(4);
    new UpperCase().handle(buffer);
    assertEquals("abCDef", new String(buffer.array(), StandardCharsets.US_ASCII));
    assertTrue(buffer.position() == 2 && buffer.limit() == 4);
  }

  private static String handled(Handler handler, String text) {
    ByteBuffer buffer = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    handler.handle(buffer);
    return new String(buffer.array(), StandardCharsets.US_ASCII);
  }
}
