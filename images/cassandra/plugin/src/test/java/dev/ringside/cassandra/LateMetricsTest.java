package dev.ringside.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The metrics that the chart's JMX exporter reads and dashboards show are registered. */
final class LateMetricsTest {
  private static final Path EXPORTER = Path.of("../../../charts/store-library/templates/_jmx.tpl");

  static Stream<String> beans() throws Exception {
    return Files.readAllLines(EXPORTER).stream()
        .filter(line -> line.matches(" +- .*:type=(HintsService|ReadRepair),.*"))
        .map(line -> line.replaceFirst(" +- ", ""));
  }

  @ParameterizedTest
  @MethodSource("beans")
  void shouldShowZeroBeforeAnythingWasCounted(String bean) throws Exception {
    LateMetrics.register();
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    assertEquals(0L, server.getAttribute(new ObjectName(bean), "Count"));
  }
}
