package dev.ringside.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.http.handoff.VirtualHandOff;
import dev.ringside.store.SettingsException;
import dev.ringside.store.Sync;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreSettingsTest {
  @Test
  void shouldTakeTheUsualWhereNothingIsSaid() {
    StoreSettings settings = StoreSettings.of(name -> null);
    assertEquals(
        "{arrayqueue:8080=ServerOptions[workers=16, queue=1024, selectors=2]}",
        settings.servers().toString());
    assertEquals(
        new StorageOptions(Path.of("data"), 16, 256, false, true, Sync.INTERVAL, 100),
        settings.storage());
  }

  @Test
  void shouldGiveEachServerWhatIsSaidForItAlone() {
    Map<String, String> environment =
        Map.of(
            "RINGSIDE_SERVERS", "arrayqueue:1,arrayqueue-256:2,inline:3",
            "RINGSIDE_WORKERS", "8",
            "RINGSIDE_ARRAYQUEUE_256_WORKERS", "256",
            "RINGSIDE_INLINE_SELECTORS", "4");
    assertEquals(
        "{arrayqueue:1=ServerOptions[workers=8, queue=1024, selectors=2],"
            + " arrayqueue-256:2=ServerOptions[workers=256, queue=1024, selectors=2],"
            + " inline:3=ServerOptions[workers=8, queue=1024, selectors=4]}",
        StoreSettings.of(environment::get).servers().toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RINGSIDE_ARRAYQUEUE_WORKERS|many|RINGSIDE_ARRAYQUEUE_WORKERS is 'many'",
        "RINGSIDE_QUEUE|-1|RINGSIDE_QUEUE is '-1': give a whole number from 1 to 1048576",
        "RINGSIDE_SYNC|often|RINGSIDE_SYNC is 'often': it is one of always, interval, never",
        "RINGSIDE_BLOOM|maybe|RINGSIDE_BLOOM is 'maybe': it is one of true, false",
        "RINGSIDE_MEMTABLE_MIB|0|RINGSIDE_MEMTABLE_MIB is '0': give a whole number from 1 to 1024",
        "RINGSIDE_SERVERS|netty:80|RINGSIDE_SERVERS: no server is named 'netty': it is one of array",
      })
  void shouldRefuseInOneLine(String name, String value, String fault) {
    String said = faultOf(Map.of(name, value));
    assertTrue(said.startsWith(fault) && said.lines().count() == 1, said);
  }

  @Test
  void shouldRefuseVirtualThreadsWhereThisJavaHasNone() {
    Map<String, String> environment = Map.of("RINGSIDE_SERVERS", "virtual:8080");
    if (VirtualHandOff.possible()) {
      assertEquals(1, StoreSettings.of(environment::get).servers().size());
    } else {
      String fault = faultOf(environment);
      assertTrue(fault.contains("take an image with a Java 21 or newer"), fault);
    }
  }

  private static String faultOf(Map<String, String> environment) {
    return assertThrows(SettingsException.class, () -> StoreSettings.of(environment::get))
        .getMessage();
  }
}
