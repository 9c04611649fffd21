package dev.ringside.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ringside.bench.handler.ThreadCounts;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProcessesTest {
  private static final int PORT = 4711;

  @Test
  void shouldGiveServersTheNumbersOfThreads() {
    Optional<ThreadCounts> all = Optional.of(new ThreadCounts(16, 2));
    assertEquals(List.of("hsha", "4711", "16", "2"), arguments(all, "hsha"));
    assertEquals(List.of("nifty", "4711", "16", "2"), arguments(all, "nifty"));
    assertEquals(List.of("nifty", "4711", "0", "2"), arguments(all, "nifty-inline"));
    assertEquals(all, ThreadCounts.of("hsha", "4711", "16", "2"));
  }

  @Test
  void shouldGiveServersNoNumberIfTheirLibrariesDecide() {
    for (String server : List.of("hsha", "threadedselector-09", "disruptor", "xedin", "nifty")) {
      List<String> arguments = arguments(Optional.empty(), server);
      assertEquals(2, arguments.size(), server);
      assertEquals(Optional.empty(), ThreadCounts.of(arguments.toArray(String[]::new)));
    }
  }

  private static List<String> arguments(Optional<ThreadCounts> threads, String server) {
    Path unused = Path.of("unused");
    Settings settings = new Settings(unused, threads, 1, 1, 1, 0, List.of(), List.of(), "", "");
    return new Processes(settings, unused).arguments(Contender.of(List.of(server)).get(0), PORT);
  }
}
