package dev.ringside.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.ServerOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The chart's schema lists the plugin's options too, so that it rejects a misspelt one. */
final class ChartSchemaTest {
  private static final Path SCHEMA = Path.of("../../../charts/cassandra/values.schema.json");

  @Test
  void shouldTakeTheSameOptionsInTheEnvironmentAsThePlugin() throws Exception {
    Set<String> wanted = new TreeSet<>(Set.of(ServerOptions.HOLD));
    for (ServerOption option : ServerOption.values()) {
      if (!DisruptorSettings.OF_NODE.contains(option)) {
        wanted.add(option.name());
      }
    }
    String names = find("\\^RINGSIDE_\\([^\"]*\\)_\\)\\?\\(([A-Z_|]+)\\)\\$");
    assertEquals(wanted, new TreeSet<>(Arrays.asList(names.split("\\|"))));
  }

  @Test
  void shouldTakeTheSameOptionsOfAnInstanceAsThePlugin() throws Exception {
    Set<String> wanted = new TreeSet<>(Set.of(ServerOptions.HOLD.toLowerCase(Locale.ROOT)));
    for (ServerOption option : ServerOption.values()) {
      if (!DisruptorSettings.OF_NODE.contains(option)) {
        wanted.add(option.id());
      }
    }
    String options = find("\"options\": \\{(.*?)\n {14}\\}");
    Set<String> named = new TreeSet<>();
    Matcher names = Pattern.compile("\n {18}\"([A-Za-z]+)\": \\{").matcher(options);
    while (names.find()) {
      named.add(names.group(1));
    }
    assertEquals(wanted, named);
  }

  private static String find(String pattern) throws Exception {
    Matcher found = Pattern.compile(pattern, Pattern.DOTALL).matcher(Files.readString(SCHEMA));
    assertTrue(found.find(), () -> SCHEMA + " has nothing like " + pattern);
    return found.group(1);
  }
}
