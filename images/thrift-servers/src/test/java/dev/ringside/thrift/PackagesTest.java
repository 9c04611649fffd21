package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each package uses those below it, and none uses one above. */
final class PackagesTest {
  private static final String ROOT = "dev.ringside.thrift";
  private static final String INTERNAL = ROOT + ".internal.";

  /** From the bottom up. */
  private static final List<String> LAYERS =
      Arrays.asList("metrics", "habits", "work", "wire", "loop");

  /** What the API and the code behind it share. These use nothing of the latter. */
  private static final List<String> SHARED = Arrays.asList("ConnectionListener");

  private static final Pattern OURS =
      Pattern.compile("\\bdev\\.ringside\\.thrift((?:\\.[a-z]\\w*)*)\\.([A-Z]\\w*)");

  @Test
  void shouldHaveNoArrowBack() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Path file : sources()) {
      String from = layer(packageOf(file));
      for (String line : Files.readAllLines(file)) {
        Matcher used = OURS.matcher(line);
        while (line.startsWith("import ") && used.find()) {
          if (!mayUse(file, from, layer(ROOT + used.group(1)), used.group(2))) {
            wrong.add(file.getFileName() + ": " + line);
          }
        }
      }
    }
    assertEquals(Collections.emptyList(), wrong);
  }

  private static boolean mayUse(Path file, String from, String to, String type) {
    boolean fromApi = from.isEmpty();
    if (fromApi) {
      return to.isEmpty() || !SHARED.contains(nameOf(file));
    }
    return to.isEmpty()
        ? SHARED.contains(type)
        : LAYERS.indexOf(to) >= 0 && LAYERS.indexOf(to) <= LAYERS.indexOf(from);
  }

  @Test
  void shouldHaveTheApiAndNothingElseInTheTopPackage() throws IOException {
    List<String> top =
        sources().stream()
            .filter(file -> packageOf(file).equals(ROOT))
            .map(PackagesTest::nameOf)
            .sorted()
            .collect(Collectors.toList());
    assertEquals(
        Arrays.asList(
            "ConnectionListener",
            "DisruptorArgs",
            "ServerOption",
            "TDisruptorServer",
            "package-info"),
        top);
  }

  /** Returns the main sources of all artifacts. */
  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String folder :
        new String[] {"../src/main", "../libthrift/src/main", "../libthrift09/src/main"}) {
      try (Stream<Path> files = Files.walk(Paths.get(folder))) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
      }
    }
    assertTrue(new TreeSet<>(sources).size() > LAYERS.size());
    return sources;
  }

  private static String nameOf(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  private static String packageOf(Path file) {
    return file.getParent().toString().replaceAll(".*/java/", "").replace('/', '.');
  }

  private static String layer(String packageName) {
    return packageName.startsWith(INTERNAL) ? packageName.substring(INTERNAL.length()) : "";
  }
}
