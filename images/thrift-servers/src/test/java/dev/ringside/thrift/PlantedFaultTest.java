package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Verifies that the exploration of the roster's schedules finds the errors of broken rosters. */
@Timeout(300)
final class PlantedFaultTest {
  @ParameterizedTest
  @EnumSource
  void shouldFindTheFault(BrokenRoster.Fault fault) throws Exception {
    AssertionError found = null;
    int tried = 0;
    while (found == null && tried < RosterModel.SEEDS) {
      try {
        RosterModel.explore(
            tried++,
            fault.max,
            fault.lingers,
            fault.startsMayFail,
            (staff, max) -> new BrokenRoster(fault, staff, max));
      } catch (AssertionError e) {
        found = e;
      }
    }
    assertNotNull(found, "not found in " + tried + " orders of steps");
    assertTrue(found.getMessage().contains(fault.found), found.getMessage());
    System.out.printf("planted fault %s: found in order %d%n", fault, tried);
  }
}
