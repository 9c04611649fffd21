package dev.ringside.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JvmSettingsTest {
  @Test
  void shouldSayWhatBecameOfEachArgument() {
    Map<String, String> effective = new HashMap<>();
    effective.put("MaxHeapSize", "1258291200");
    effective.put("MaxNewSize", "314572800");
    effective.put("UseNUMA", "false");
    effective.put("MaxGCPauseMillis", "300");
    Map<String, String> want = new TreeMap<>();
    want.put("jvm.-Xmx", "1200M");
    want.put("jvm.MaxHeapSize", "1258291200");
    want.put("jvm.MaxNewSize", "314572800");
    want.put("jvm.UseNUMA", "false"); // the machine has one node
    want.put("jvm.MaxGCPauseMillis", "300");
    want.put("jvm.NobodyKnows", "set");
    want.put("jvm.-ea", "set");
    want.put("jvm.-Xss256k", "set");
    want.put("jvm.-Dcassandra.ring_delay_ms", "4000");
    want.put("jvm.-Dtrust.password", "***");
    assertEquals(
        want,
        JvmSettings.of(
            Arrays.asList(
                "-Xms1200M",
                "-Xmx1200M",
                "-Xss256k",
                "-ea",
                "-XX:+UseNUMA",
                "-XX:MaxGCPauseMillis=200",
                "-XX:MaxGCPauseMillis=300",
                "-XX:+NobodyKnows",
                "-Dcassandra.ring_delay_ms=4000",
                "-Dtrust.password=hunter2",
                "-javaagent:/jmx.jar=10.0.0.3:9404"),
            flag -> {
              if (!effective.containsKey(flag)) {
                throw new IllegalArgumentException(flag);
              }
              return effective.get(flag);
            }));
  }

  @ParameterizedTest
  @CsvSource({
    "-Xmx1200M, 1258291200, 1200M",
    "-Xmx1000m, 1056964608, 1000m", // rounded up to regions of 16 MB
    "-Xmx1258291200, 1258291200, 1258291200",
    "-Xmx4G, 2147483648, 2147483648", // a later option won
    "-Xmx1200M, 8589934592, 8589934592",
    "-Xmx1200M, unknown, 1200M",
  })
  void shouldSayWithWhichHeapTheJvmRuns(String argument, String effective, String want) {
    Map<String, String> settings = JvmSettings.of(List.of(argument), flag -> effective);
    assertEquals(want, settings.get("jvm.-Xmx"));
  }

  @Test
  void shouldNameTheCollectorsThatRun() {
    Map<String, String> settings = JvmSettings.ofProcess();
    String first = ManagementFactory.getGarbageCollectorMXBeans().get(0).getName();
    assertTrue(settings.get("jvm.collectors").startsWith(first), settings::toString);
    assertEquals(
        ManagementFactory.getRuntimeMXBean().getInputArguments().contains("-ea"),
        settings.containsKey("jvm.-ea"));
    assertFalse(settings.get("jvm.MaxHeapSize").isEmpty());
  }
}
