package dev.ringside.http.handoff;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HandOffsTest {
  private static final List<String> UNBOUNDED = List.of("inline", "synchronous");

  /** Returns the types that this Java supports. */
  static List<String> types() {
    return HandOffs.TYPES.stream()
        .filter(type -> !type.equals(HandOffs.VIRTUAL) || VirtualHandOff.possible())
        .toList();
  }

  static List<String> bounded() {
    return types().stream().filter(type -> !UNBOUNDED.contains(type)).toList();
  }

  /** Runs work, and counts rejections. */
  private record Counted(Runnable work, AtomicInteger refused) implements Task {
    @Override
    public void run() {
      work.run();
    }

    @Override
    public void refuse() {
      refused.incrementAndGet();
    }
  }

  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final CountDownLatch let = new CountDownLatch(1);

  /** Waits for the latch, then counts a task as done. */
  private void held() {
    try {
      assertTrue(let.await(30, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    done.incrementAndGet();
  }

  @ParameterizedTest
  @MethodSource("types")
  void shouldRunEveryTaskOnce(String type) throws Exception {
    int tasks = 1000;
    try (HandOff handOff = HandOffs.of(type, 3, tasks)) {
      for (int i = 0; i < tasks; i++) {
        handOff.give(new Counted(done::incrementAndGet, refused));
      }
      await(() -> done.get() == tasks && handOff.waiting() == 0);
    }
    assertEquals(0, refused.get());
    assertEquals(tasks, done.get());
  }

  @ParameterizedTest
  @MethodSource("bounded")
  void shouldRefuseWhatDoesNotFitAndAnswerTheRest(String type) throws Exception {
    int tasks = 200;
    int workers = 2;
    int capacity = 16;
    try (HandOff handOff = HandOffs.of(type, workers, capacity)) {
      for (int i = 0; i < tasks; i++) {
        handOff.give(new Counted(this::held, refused));
      }
      // A virtual thread that waits frees its carrier, so no task waits for a thread.
      if (!type.equals(HandOffs.VIRTUAL)) {
        assertTrue(refused.get() >= tasks - capacity - workers, refused::toString);
        assertTrue(handOff.waiting() >= capacity - workers, () -> handOff.waiting() + " wait");
      }
      let.countDown();
      await(() -> done.get() + refused.get() == tasks);
    }
  }

  @Test
  void shouldLetTheSelectorAnswerWhereNoWorkerIsFree() throws Exception {
    AtomicInteger onSelector = new AtomicInteger();
    AtomicInteger onWorker = new AtomicInteger();
    Thread selector = Thread.currentThread();
    Task task =
        new Counted(
            () -> {
              if (Thread.currentThread() == selector) {
                onSelector.incrementAndGet();
              } else {
                onWorker.incrementAndGet();
                held();
              }
            },
            refused);
    try (HandOff handOff = HandOffs.of(HandOffs.SYNCHRONOUS, 1, 1)) {
      // This queue accepts a task only while the worker waits at it, which it soon does.
      await(
          () -> {
            handOff.give(task);
            return onWorker.get() == 1;
          });
      int before = onSelector.get();
      handOff.give(task);
      assertEquals(before + 1, onSelector.get(), "the only worker is at work");
      let.countDown();
    }
    assertEquals(1, onWorker.get());
    assertEquals(0, refused.get());
  }

  @Test
  void shouldAnswerOnTheSelectorItselfWhereThereIsNoHandOff() {
    AtomicReference<Thread> ran = new AtomicReference<>();
    try (HandOff handOff = HandOffs.of(HandOffs.INLINE, 1, 1)) {
      handOff.give(new Counted(() -> ran.set(Thread.currentThread()), refused));
    }
    assertSame(Thread.currentThread(), ran.get());
  }

  @Test
  void shouldHaveAnEssenceOfItsOwnForEachKind() {
    List<String> essences = types().stream().map(HandOffsTest::essenceOf).toList();
    assertEquals(essences.size(), essences.stream().distinct().count(), essences::toString);
    assertTrue(essences.contains("java.util.concurrent.ArrayBlockingQueue"), essences::toString);
  }

  @ParameterizedTest
  @MethodSource("types")
  void shouldHaveTheEssenceThatTheChartAsksTheProofFor(String type) throws Exception {
    String chart = Files.readString(Path.of("..", "..", "charts", "http-store", "Chart.yaml"));
    String line = "\n    " + type + ": " + essenceOf(type);
    assertTrue((chart + "\n").contains(line + "\n"), line);
  }

  private static String essenceOf(String type) {
    try (HandOff handOff = HandOffs.of(type, 1, 4)) {
      return handOff.essence().getClass().getName();
    }
  }

  @Test
  void shouldRunOnVirtualThreadsWhereThisJavaHasThem() throws Exception {
    assumeTrue(VirtualHandOff.possible(), "left out: this Java has no virtual threads");
    AtomicReference<String> ran = new AtomicReference<>();
    try (HandOff handOff = HandOffs.of(HandOffs.VIRTUAL, 1, 4)) {
      handOff.give(new Counted(() -> ran.set(Thread.currentThread().toString()), refused));
      await(() -> ran.get() != null);
    }
    assertTrue(ran.get().startsWith("VirtualThread["), ran::get);
  }

  @Test
  void shouldRoundARingUpToAPowerOfTwo() {
    assertEquals(2, DisruptorHandOff.sizeFor(1));
    assertEquals(1024, DisruptorHandOff.sizeFor(1000));
    assertEquals(1024, DisruptorHandOff.sizeFor(1024));
    assertEquals(2048, DisruptorHandOff.sizeFor(1025));
  }

  @Test
  void shouldKnowNoOther() {
    assertThrows(IllegalArgumentException.class, () -> HandOffs.of("netty", 1, 1));
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "waited in vain");
      Thread.sleep(1);
    }
  }
}
