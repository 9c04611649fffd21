package dev.ringside.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Collections;
import org.junit.jupiter.api.Test;

final class PendingCompactionsTest {
  @Test
  void shouldReportThemByTheNameOfTheContract() throws Exception {
    assertEquals(
        Collections.singletonMap("pending_compactions", 7L), new PendingCompactions(() -> 7).get());
    String contract =
        new String(
            Files.readAllBytes(Paths.get("../../docs/reference/store-contract.md")), "UTF-8");
    assertTrue(contract.contains("\n| `pending_compactions` |"), "the contract has the size");
  }

  @Test
  void shouldNotAskBeforeAClientDoes() {
    new PendingCompactions(
        () -> {
          throw new AssertionError("the node has no settings yet");
        });
  }
}
