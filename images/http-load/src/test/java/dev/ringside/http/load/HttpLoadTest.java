package dev.ringside.http.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.load.LoadFixture;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the load with another HTTP server than the store's. */
class HttpLoadTest {
  private static final long KEYS = 400;
  @TempDir Path folder;
  private LoadFixture load;
  private FakeStore store;

  @BeforeEach
  void orderAFill() throws Exception {
    store = new FakeStore();
    load =
        new LoadFixture(folder, HttpLoad::run)
            .with("RINGSIDE_OPERATION", "write", "RINGSIDE_ENDPOINTS", store.endpoint())
            .with("RINGSIDE_OPERATIONS", "" + KEYS, "RINGSIDE_KEYS", "" + KEYS)
            .with("RINGSIDE_PARAM_VALUE_SIZE", "300");
  }

  @AfterEach
  void stop() {
    store.close();
  }

  @Test
  void shouldFillThePopulationExactlyOnceAndFindItAgain() throws Exception {
    load.succeed();
    assertEquals(KEYS, store.entities.size());
    assertTrue(store.asked.values().stream().allMatch(count -> count.get() == 1));
    assertTrue(store.entities.values().stream().allMatch(value -> value.length == 300));
    assertEquals(Map.of("operations", KEYS, "outcome.stored", KEYS), load.summary());
    assertEquals(Map.of("WRITE-st", KEYS), load.logged());

    load.with("RINGSIDE_OPERATION", "read", "RINGSIDE_TARGET_RATE", "2000").succeed();
    assertEquals(Map.of("operations", KEYS, "outcome.hit", KEYS), load.summary());
    assertEquals(Map.of("READ-st", KEYS, "READ-rt", KEYS, "READ-wt", KEYS), load.logged());

    load.with("RINGSIDE_OPERATION", "delete").succeed();
    assertEquals(Map.of("operations", KEYS, "outcome.removed", KEYS), load.summary());
    assertTrue(store.entities.isEmpty());
  }

  @Test
  void shouldMissAsOftenAsItIsToldTo() throws Exception {
    load.succeed();
    load.with("RINGSIDE_OPERATION", "read", "RINGSIDE_PARAM_MISS_RATIO", "0.9").succeed();
    long missed = load.summary("outcome.miss");
    assertEquals(KEYS, load.summary("outcome.hit") + missed);
    assertEquals(0.9 * KEYS, missed, 6 * Math.sqrt(0.09 * KEYS));
    load.with("RINGSIDE_PARAM_MISS_RATIO", "1").succeed();
    assertEquals(Map.of("operations", KEYS, "outcome.miss", KEYS), load.summary());
  }

  @Test
  void shouldCountWhatTheServerIsTooBusyFor() throws Exception {
    store.busyOneIn(10);
    load.succeed();
    long busy = KEYS / 10;
    long stored = KEYS - busy;
    assertEquals(
        Map.of(
            "operations",
            stored,
            "unanswered",
            busy,
            "outcome.busy",
            busy,
            "outcome.stored",
            stored),
        load.summary());
    assertEquals(Map.of("WRITE-st", stored), load.logged());
    assertEquals(stored, store.entities.size());
  }

  @Test
  void shouldTryAgainWhatTheServerIsTooBusyForWhereEveryKeyMustBeThere() throws Exception {
    store.busyOneIn(3);
    load.with("RINGSIDE_PARAM_WHEN_BUSY", "retry").succeed();
    assertEquals(KEYS, store.entities.size());
    assertEquals(Map.of("operations", KEYS, "outcome.stored", KEYS), load.summary());
  }

  @Test
  void shouldCountAMissingAnUnexpectedAndAChangedEntityAsErrors() throws Exception {
    load.succeed();
    store.entities.replaceAll((id, value) -> new byte[300]);
    load.with("RINGSIDE_OPERATION", "read").endWith(0, "has another value");
    assertEquals(Map.of("errors", KEYS, "error.wrong", KEYS), load.summary());

    store.entities.clear();
    load.endWith(0, "is not there");
    assertEquals(Map.of("errors", KEYS, "error.wrong", KEYS), load.summary());
  }

  @Test
  void shouldNameTheServerThatCannotBeReached() throws Exception {
    load.failWithoutServer("cannot connect to ");
  }

  @Test
  void shouldSwitchBetweenServersInWindows() throws Exception {
    load.succeed();
    try (FakeStore other = new FakeStore()) {
      other.entities.putAll(store.entities);
      load.interleave("windows", "a=" + store.endpoint() + ";b=" + other.endpoint())
          .with("RINGSIDE_OPERATION", "read", "RINGSIDE_PARAM_MISS_RATIO", "0.5")
          .succeed();
    }
    assertEquals(Set.of("a/READ-st", "b/READ-st"), load.logged().keySet());
    for (String arm : Set.of("a.", "b.")) {
      assertEquals(
          load.summary(arm + "operations"),
          load.summary(arm + "outcome.hit") + load.summary(arm + "outcome.miss"));
    }
  }
}
