package dev.ringside.http.lsm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class MergeTest {
  private static final List<Entry> OLD =
      List.of(Bytes.entry("a", "1"), Bytes.entry("b", "1"), Bytes.entry("d", null));
  private static final List<Entry> NEW =
      List.of(Bytes.entry("b", "2"), Bytes.entry("a", null), Bytes.entry("c", "2"));

  @Test
  void shouldKeepTheNewestOfEachKey() {
    assertEquals(List.of("a=null", "b=2", "c=2", "d=null"), merge(false, List.of(NEW, OLD)));
  }

  @Test
  void shouldForgetRemovedKeysOnlyWhenNothingOlderLiesBelow() {
    assertEquals(List.of("b=2", "c=2"), merge(true, List.of(NEW, OLD)));
  }

  @Test
  void shouldMergeNothing() {
    assertEquals(List.of(), merge(false, List.of()));
    assertEquals(List.of(), merge(true, List.of(List.of(), List.of())));
  }

  /** Equals the result of putting all entries into a map, oldest first. */
  @Property(tries = 300)
  void shouldBeWhatAMapWouldHold(
      @ForAll @Size(max = 5)
          List<@Size(max = 12) List<@StringLength(max = 2) @CharRange(from = 'a', to = 'c') String>>
              newestFirst) {
    List<List<Entry>> tables = new ArrayList<>();
    for (int age = 0; age < newestFirst.size(); age++) {
      List<Entry> table = new ArrayList<>();
      for (String key : newestFirst.get(age)) {
        table.add(Bytes.entry(key, (key.length() + age) % 2 == 0 ? null : "" + age));
      }
      tables.add(table);
    }
    TreeMap<String, String> model = new TreeMap<>();
    for (int age = tables.size() - 1; age >= 0; age--) {
      tables.get(age).forEach(e -> model.put(Bytes.text(e.key()), Bytes.text(e)));
    }
    assertEquals(List.copyOf(model.values()), merge(false, tables));
    model.values().removeIf(text -> text.endsWith("=null"));
    assertEquals(List.copyOf(model.values()), merge(true, tables));
  }

  private static List<String> merge(boolean all, List<List<Entry>> newestFirst) {
    List<Iterator<Entry>> sources = newestFirst.stream().map(Bytes::sorted).toList();
    List<String> merged = new ArrayList<>();
    new Merge(sources, all).forEachRemaining(entry -> merged.add(Bytes.text(entry)));
    return merged;
  }
}
