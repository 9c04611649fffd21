package dev.ringside.contract.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class FoldedStacksTest {
  private static final int LIMIT = 16_000;

  private final FoldedStacks stacks = new FoldedStacks(LIMIT, "own");

  @Test
  void shouldAddUpStacksThatThreadsOfOneKindShareTheLargestFirst() {
    stacks.add("[pool-1 tid=4];A.a;B.b 5");
    stacks.add("[other tid=5];A.a;B.b 6");
    stacks.add("[pool-2 tid=6];A.a;B.b 7");
    stacks.add("[pool-2 tid=6];A.a;void B::<x, y>(int) 6");
    assertEquals("pool-#;A.a;B.b 12\nother;A.a;B.b 6\npool-#;A.a;void B::<x, y>(int) 6\n", text());
    assertEquals(0, stacks.folded());
  }

  @Test
  void shouldLeaveOutThePortsOwnThreadsAndWhatIsNoStack() {
    stacks.add("[own-client tid=4];A.a;B.b 5");
    stacks.add("");
    assertEquals("", text());
  }

  @Test
  void shouldFoldAwayTheSmallestByTheirThreadsWhereTheTextWouldBeTooLong() {
    long sum = 0;
    for (int i = 1; i <= 5_000; i++) {
      stacks.add("[pool-" + i % 7 + " tid=4];A.a;B.b" + (char) ('a' + i % 26) + "x" + i + "é " + i);
      stacks.add("[other tid=5];A.a;C.c" + i + " 1");
      sum += i + 1;
    }
    String text = text();
    assertTrue(text.getBytes(StandardCharsets.UTF_8).length <= LIMIT, () -> "" + text.length());
    assertTrue(text.length() > LIMIT / 2, () -> "" + text.length());
    assertTrue(text.startsWith("pool-#;A.a;B.bix5000é 5000\npool-#;A.a;B.bhx4999é 4999\n"));
    assertTrue(text.contains("\nother;[folded] 5000\n"), text);
    assertTrue(text.contains("\npool-#;[folded] "), text);
    long kept = text.lines().filter(line -> !line.contains("[folded]")).count();
    assertEquals(10_000 - kept, stacks.folded());
    long told = text.lines().mapToLong(line -> Long.parseLong(line.replaceAll(".* ", ""))).sum();
    assertEquals(sum, told);
  }

  @Test
  void shouldKeepTheTextShortWithAnyNumberOfKindsOfThreads() {
    FoldedStacks large = new FoldedStacks(1 << 20, "own");
    for (int i = 0; i < 100_000; i++) {
      // Letters, because digits would count as numbers of threads.
      String name = Integer.toString(i, 2).replace('0', 'a').replace('1', 'b');
      large.add("[" + name + " tid=4];A.a 1");
    }
    byte[] text = large.text();
    assertTrue(text.length <= 1 << 20, () -> "" + text.length);
    assertTrue(new String(text, StandardCharsets.UTF_8).contains("\nother threads;[folded] "));
  }

  private String text() {
    return new String(stacks.text(), StandardCharsets.UTF_8);
  }
}
