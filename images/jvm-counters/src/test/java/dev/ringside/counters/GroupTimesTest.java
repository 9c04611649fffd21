package dev.ringside.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class GroupTimesTest {
  private final GroupTimes times = new GroupTimes();

  @Test
  void shouldAddUpWhatTheThreadsOfAGroupUsed() {
    times.add(1, CpuGroup.SERVER, 100);
    times.add(2, CpuGroup.SERVER, 10);
    times.add(-2, CpuGroup.GC, 5);
    times.endReading();
    times.add(1, CpuGroup.SERVER, 130);
    times.add(2, CpuGroup.SERVER, 10);
    times.add(-2, CpuGroup.GC, 6);
    times.endReading();
    assertEquals(Map.of(CpuGroup.SERVER, 140L, CpuGroup.GC, 6L), times.totals());
  }

  @Test
  void shouldKeepWhatAThreadThatEndedHadUsed() {
    times.add(1, CpuGroup.REQUEST, 100);
    times.endReading();
    times.add(2, CpuGroup.REQUEST, 7);
    times.endReading();
    assertEquals(Map.of(CpuGroup.REQUEST, 107L), times.totals());
    assertEquals(1, times.threads());
  }

  @Test
  void shouldTakeAThreadWithTheNumberOfAnEndedOneForANewOne() {
    times.add(-1, CpuGroup.COMPILER, 100);
    times.endReading();
    times.add(-1, CpuGroup.COMPILER, 4);
    times.endReading();
    assertEquals(Map.of(CpuGroup.COMPILER, 104L), times.totals());
  }

  /**
   * A worker that was idle in no group and then gets the name of a stage does not add its earlier
   * time.
   */
  @Test
  void shouldCountAThreadWhereItIsFromReadingToReading() {
    times.add(1, null, 1_000);
    times.endReading();
    times.add(1, CpuGroup.REQUEST, 1_030);
    times.endReading();
    times.add(1, CpuGroup.MESSAGING, 1_035);
    times.endReading();
    assertEquals(Map.of(CpuGroup.REQUEST, 30L, CpuGroup.MESSAGING, 5L), times.totals());
  }
}
