package dev.ringside.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.bench.wire.Handler;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {
  @Test
  void shouldRejectNumbersOfThreadsNextToTheDefaultsOfLibraries() {
    for (String option : List.of("--workers", "--selectors")) {
      assertEquals(2, new CommandLine(new Main()).execute("--defaults", option, "4"), option);
    }
  }

  @Test
  void shouldNameEveryHandlerInItsHelp() {
    String help = new CommandLine(new Main()).getUsageMessage().replaceAll("\\s+", " ");
    for (Handler handler : Handler.values()) {
      assertTrue(help.contains(handler.id()), handler.id());
    }
    assertTrue(help.contains("--defaults"), help);
    assertTrue(help.contains("; 1, 16, 64, 256, 1000; 1, 8)"), help);
  }
}
