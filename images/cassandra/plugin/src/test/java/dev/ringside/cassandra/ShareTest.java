package dev.ringside.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ShareTest {
  @ParameterizedTest
  @CsvSource({"0,0", "0.05,50000", "0.333333,333333", "1,1000000", "0.000001,1"})
  void shouldPickExactlyItsShareOfAMillionCalls(String text, int picked) {
    assertEquals(picked, picks(Share.of(text), 1_000_000));
  }

  @Test
  void shouldPickEvenly() {
    Share share = Share.of("0.05");
    for (int i = 0; i < 1000; i++) {
      assertEquals(1, picks(share, 20));
    }
  }

  @Test
  void shouldPickItsShareOfWhatAllThreadsCallTogether() throws Exception {
    Share share = Share.of("0.05");
    ExecutorService pool = Executors.newFixedThreadPool(4);
    List<Callable<Integer>> work = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      work.add(() -> picks(share, 5000));
    }
    int all = 0;
    for (Future<Integer> picked : pool.invokeAll(work)) {
      all += picked.get();
    }
    pool.shutdown();
    assertEquals(1000, all);
  }

  @Test
  void shouldKnowThatItIsNone() {
    assertTrue(Share.NONE.isNone());
    assertTrue(Share.of("0.0").isNone());
  }

  private static int picks(Share share, int calls) {
    int picked = 0;
    for (int i = 0; i < calls; i++) {
      picked += share.picksNext() ? 1 : 0;
    }
    return picked;
  }
}
