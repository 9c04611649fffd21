package dev.ringside.udp.echo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class KernelDropsTest {
  // Output of Linux 5.10.
  private static final List<String> TABLE =
      List.of(
          "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops",
          "  310: 0100007F:2328 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4150 2 0000000000000000 7",
          "  310: 0100007F:2328 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4151 2 0000000000000000 35",
          "  420: 0100007F:2329 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4152 2 0000000000000000 100",
          "  310: 00000000000000000000000001000000:2328 00000000000000000000000000000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4153 2 0000000000000000 1");

  @Test
  void shouldAddUpAllSocketsOfThePortAndNoOther() {
    assertEquals(43, KernelDrops.sum(TABLE, 9000));
    assertEquals(100, KernelDrops.sum(TABLE, 9001));
    assertEquals(0, KernelDrops.sum(TABLE, 9002));
  }

  @Test
  void shouldFindNothingWhereThereIsNoTable() {
    assertEquals(0, KernelDrops.sum(List.of(), 9000));
  }
}
