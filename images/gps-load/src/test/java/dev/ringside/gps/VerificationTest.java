package dev.ringside.gps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.load.LoadFixture;
import dev.ringside.load.LoadProcess;
import dev.ringside.trip.stream.Acknowledgement;
import dev.ringside.trip.stream.FinishedTrip;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The load detects every kind of wrong store. */
@Timeout(120)
class VerificationTest {
  @TempDir Path folder;

  @Test
  void shouldFindNothingAmissWithAStoreThatIsRight() throws IOException {
    LoadFixture load = run(right -> right, 0);
    assertEquals(Map.of("operations", 1_000L, "outcome.kept", 1_000L), load.summary());
  }

  @Test
  void shouldFindATripThatCameOutAsAnother() throws IOException {
    LoadFixture load =
        run(
            right ->
                with(
                    right,
                    trip ->
                        new FinishedTrip(
                            trip.trip(),
                            trip.points(),
                            trip.way(),
                            trip.millis(),
                            trip.digest() ^ 1)),
            0);
    assertTrue(load.summary("errors") > 0);
    assertEquals(1_000, load.summary("operations") + load.summary("errors"));
    assertTrue(load.errors().contains("a trip came out as "), load::errors);
  }

  @Test
  void shouldFindATripThatDidNotComeOut() throws IOException {
    LoadFixture load = run(right -> new Acknowledgement(right.points(), 0, List.of(), ""), 0);
    assertTrue(load.summary("errors") > 0);
    assertTrue(load.errors().contains("trips ended and did not come out"), load::errors);
  }

  @Test
  void shouldFindATripThatCameOutTwice() throws IOException {
    LoadFixture load =
        run(
            right -> {
              List<FinishedTrip> twice = new ArrayList<>(right.finished());
              twice.addAll(right.finished());
              return new Acknowledgement(right.points(), 0, twice, "");
            },
            0);
    assertTrue(load.summary("errors") > 0);
    assertTrue(load.errors().contains("had come out before"), load::errors);
  }

  @Test
  void shouldCountAnErrorWhereTheStoreHasLostSomething() throws IOException {
    LoadFixture load =
        run(right -> new Acknowledgement(right.points(), 3, right.finished(), ""), 0);
    assertEquals(1_000, load.summary("errors"));
    assertTrue(load.errors().contains("the store has lost what was before 3 points"), load::errors);
  }

  @Test
  void shouldGiveUpAStoreThatHangsUpOrAcknowledgesMoreThanThereIs() throws IOException {
    assertTrue(run(right -> null, LoadProcess.FAILED).errors().contains("EOFException"));
    String said =
        run(
                right -> new Acknowledgement(right.points() + 1, 0, right.finished(), ""),
                LoadProcess.FAILED)
            .errors();
    assertTrue(said.contains("points are acknowledged of"), said);
  }

  @Test
  void shouldPassOnWhyTheStoreCanDoNoMore() throws IOException {
    String said =
        run(right -> new Acknowledgement(0, 0, List.of(), "the disk is full"), LoadProcess.FAILED)
            .errors();
    assertTrue(said.contains("the server can do no more: the disk is full"), said);
  }

  private LoadFixture run(UnaryOperator<Acknowledgement> answers, int status) throws IOException {
    try (FaultyStore store = new FaultyStore(answers)) {
      LoadFixture load =
          LoadRun.in(folder)
              .with("RINGSIDE_THREADS", "1", "RINGSIDE_PARAM_TRIPS", "1")
              .with("RINGSIDE_ENDPOINTS", store.endpoint(), "RINGSIDE_OPERATIONS", "1000");
      load.endWith(status);
      return load;
    }
  }

  private static Acknowledgement with(Acknowledgement right, UnaryOperator<FinishedTrip> change) {
    return new Acknowledgement(
        right.points(), 0, right.finished().stream().map(change).toList(), "");
  }
}
