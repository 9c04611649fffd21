package dev.ringside.bench.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ColumnTest {
  private final Row row = Rows.of(3, "ours", 1234.5, 20);
  private final Row failed = Row.failed(new Measured(1, "broken", Rows.CELL), "no\n\"reply\"");

  @Test
  void shouldHaveAsManyValuesAsColumns() {
    for (Row of : List.of(row, failed)) {
      assertEquals(
          Column.header().split(",").length,
          Column.line(of).split(",", -1).length,
          of.measured().server());
    }
  }

  @Test
  void shouldWriteEachFigureInItsColumn() {
    assertEquals("3", value(row, Column.ROUND));
    assertEquals("at-once", value(row, Column.HANDLER));
    assertEquals("closed", value(row, Column.LOAD));
    assertEquals("ok", value(row, Column.STATUS));
    assertEquals("1234.500", value(row, Column.RATE));
    assertEquals("20.000", value(row, Column.P99));
    assertEquals("false", value(row, Column.CLIENT_BOUND));
    assertEquals("19.000", value(row, Column.THREADS));
    assertEquals("0.250", value(row, Column.CLIENT_WAIT));
    assertEquals("abc", value(row, Column.COMMIT));
    assertEquals("def", value(row, Column.CLASS_PATH));
    assertEquals("16", value(row, Column.WORKERS));
    assertEquals("", value(row, Column.SYSCALLS), "not counted");
    assertEquals(1234.5, Column.RATE.figure(row));
  }

  @Test
  void shouldWriteWhyThereAreNoFigures() {
    assertEquals("\"failed: no \"\"reply\"\"\"", value(failed, Column.STATUS));
    assertEquals("", value(failed, Column.RATE));
    assertTrue(Double.isNaN(Column.RATE.figure(failed)));
  }

  @Test
  void shouldGiveEachColumnANameOfItsOwn() {
    assertEquals(
        Column.values().length, Arrays.stream(Column.values()).map(Column::id).distinct().count());
  }

  private static String value(Row of, Column column) {
    return Column.line(of).split(",", -1)[column.ordinal()];
  }
}
