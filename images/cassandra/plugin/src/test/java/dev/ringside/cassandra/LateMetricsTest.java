package dev.ringside.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** As the JMX exporter of the store's chart asks for them (jmx.yaml). */
final class LateMetricsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "type=HintsService,name=HintsSucceeded",
        "type=HintsService,name=HintsFailed",
        "type=HintsService,name=HintsTimedOut",
        "type=ReadRepair,name=RepairedBlocking",
        "type=ReadRepair,name=RepairedBackground"
      })
  void shouldShowZeroBeforeAnythingWasCounted(String bean) throws Exception {
    LateMetrics.register();
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("org.apache.cassandra.metrics:" + bean);
    assertEquals(0L, beans.getAttribute(name, "Count"));
  }
}
