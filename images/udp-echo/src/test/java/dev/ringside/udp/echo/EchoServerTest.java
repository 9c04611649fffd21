package dev.ringside.udp.echo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class EchoServerTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @ParameterizedTest
  @EnumSource
  void shouldAnswerInCapitalsWhateverTheSize(EchoType type) throws Exception {
    try (EchoServer server = started(type, new UpperCase(), Options.PUBLISHED);
        Asker asker = new Asker(server.address())) {
      for (int size : new int[] {1, 31, 32, 33, 500, Datagram.MAX_BYTES}) {
        String text = text(size, size);
        assertEquals(text.toUpperCase(Locale.ROOT), asker.ask(text));
      }
      assertEquals("0123 [{~", asker.ask("0123 [{~"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldNeverRepeatAnEarlierText(EchoType type) throws Exception {
    // More requests than slots, so that each slot is reused for a shorter text.
    Options few = new Options(3, 4, 0);
    try (EchoServer server = started(type, new UpperCase(), few);
        Asker asker = new Asker(server.address())) {
      for (int i = 0; i < 200; i++) {
        String text = text(i, 400 - 2 * i + 1);
        assertEquals(text.toUpperCase(Locale.ROOT), asker.ask(text));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldGiveEachOfManyClientsItsOwnAnswers(EchoType type) throws Exception {
    try (EchoServer server = started(type, new UpperCase(), Options.PUBLISHED)) {
      ExecutorService clients = Executors.newFixedThreadPool(8);
      try {
        List<Callable<Void>> all = new ArrayList<>();
        for (int client = 0; client < 8; client++) {
          int from = client * 1000;
          all.add(
              () -> {
                try (Asker asker = new Asker(server.address())) {
                  for (int i = from; i < from + 200; i++) {
                    String text = i + text(i, 1 + i % 90);
                    assertEquals(text.toUpperCase(Locale.ROOT), asker.ask(text));
                  }
                  return null;
                }
              });
        }
        for (Future<Void> client : clients.invokeAll(all)) {
          client.get();
        }
      } finally {
        clients.shutdownNow();
      }
      assertEquals(1600, server.counts().receivedTotal());
      // A client may receive an answer before the sending thread has counted it.
      await(() -> server.counts().repliedTotal() == 1600, server.counts()::toString);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldLeaveWhatIsLongerThanASlotUnanswered(EchoType type) throws Exception {
    try (EchoServer server = started(type, new UpperCase(), Options.PUBLISHED);
        Asker asker = new Asker(server.address())) {
      asker.send(text(1, Datagram.MAX_BYTES + 1));
      assertEquals("NEXT", asker.ask("next"));
      assertEquals(1, server.counts().tooLongTotal());
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldCountEveryDatagramThatAnOverloadCosts(EchoType type) throws Exception {
    int sent = 400;
    CountDownLatch released = new CountDownLatch(1);
    Handler slow =
        text -> {
          try {
            released.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    Options small = new Options(2, 8, 4096);
    try (EchoServer server = started(type, slow, small);
        Asker asker = new Asker(server.address())) {
      for (int i = 0; i < sent; i++) {
        asker.send(text(i, 1000));
      }
      Counts counts = server.counts();
      released.countDown();
      await(
          () ->
              sent
                  == counts.repliedTotal()
                      + counts.droppedTotal()
                      + counts.unsentTotal()
                      + server.kernelDrops(),
          () -> counts + ", " + server.kernelDrops() + " dropped by the kernel, of " + sent);
      assertTrue(counts.droppedTotal() + server.kernelDrops() > 0, counts::toString);
      assertEquals(
          counts.receivedTotal(),
          counts.repliedTotal() + counts.droppedTotal() + counts.unsentTotal());
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldEndItsThreadsAndFreeItsPortUnderLoad(EchoType type) throws Exception {
    InetSocketAddress address;
    EchoServer server = started(type, new UpperCase(), new Options(3, 4, 0));
    address = server.address();
    try (Asker asker = new Asker(address)) {
      for (int i = 0; i < 500; i++) {
        asker.send(text(i, 1000));
      }
      assertTrue(server.alive());
      server.close(); // throws if a thread does not end
      assertFalse(server.alive());
    }
    try (EchoServer next = new EchoServer(type, address, new UpperCase(), Options.PUBLISHED)) {
      assertEquals(address, next.address());
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldTellWhenAThreadOfItHasDied(EchoType type) throws Exception {
    Handler faulty =
        text -> {
          throw new IllegalStateException("this handler is meant to fail");
        };
    try (EchoServer server = started(type, faulty, Options.PUBLISHED);
        Asker asker = new Asker(server.address())) {
      asker.send("x");
      await(() -> !server.alive(), () -> "all threads are said to live");
    }
  }

  @Test
  void shouldBeToldApartByTheClassesOfTheirProofs() throws Exception {
    List<String> classes = new ArrayList<>();
    for (EchoType type : EchoType.values()) {
      try (EchoServer server = started(type, new UpperCase(), Options.PUBLISHED)) {
        classes.add(server.proof().getName());
      }
    }
    assertEquals(EchoType.values().length, classes.stream().distinct().count(), classes::toString);
  }

  @ParameterizedTest
  @EnumSource
  void shouldProveTheClassThatTheChartAsksFor(EchoType type) throws Exception {
    String chart = Files.readString(Path.of("..", "..", "charts", "udp-echo", "Chart.yaml"));
    try (EchoServer server = started(type, new UpperCase(), Options.PUBLISHED)) {
      String line = "\n    " + type.id() + ": " + server.proof().getName();
      assertTrue((chart + "\n").contains(line + "\n"), line);
    }
  }

  private static EchoServer started(EchoType type, Handler handler, Options options)
      throws IOException {
    EchoServer server = new EchoServer(type, ANY_PORT, handler, options);
    server.start();
    return server;
  }

  /** Returns letters that depend on the seed. */
  static String text(int seed, int length) {
    char[] text = new char[length];
    for (int i = 0; i < length; i++) {
      text[i] = (char) ('a' + (seed + i) % 26);
    }
    return new String(text);
  }

  private static void await(BooleanSupplier condition, Supplier<String> otherwise)
      throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, otherwise);
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }
}
