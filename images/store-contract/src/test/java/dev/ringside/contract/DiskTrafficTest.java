package dev.ringside.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DiskTrafficTest {
  @Test
  void shouldReadWhatWentToTheDiskAndNotWhatWentToTheKernel() {
    List<String> table =
        List.of(
            "rchar: 323934931",
            "wchar: 323929600",
            "syscr: 632687",
            "syscw: 632675",
            "read_bytes: 12288",
            "write_bytes: 323932160",
            "cancelled_write_bytes: 0");
    assertEquals(
        Map.of("read_bytes", 12_288L, "written_bytes", 323_932_160L), DiskTraffic.of(table));
    assertEquals(Map.of(), DiskTraffic.of(List.of("")));
  }
}
