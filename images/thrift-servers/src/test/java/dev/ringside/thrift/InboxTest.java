package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ringside.thrift.internal.wire.Budget;
import dev.ringside.thrift.internal.wire.Inbox;
import dev.ringside.thrift.internal.wire.Shortage;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class InboxTest {
  private static final int MAX = 16 << 20;
  private static final int ARRIVED = 64 << 10;

  /** A connection that seems to have room, and has none, would be tried again without an end. */
  @ParameterizedTest
  @CsvSource({
    // admitted before, length of the frame, whether it is read on
    "0, 8388608, true",
    "1, 8388608, false",
    "4194304, 8388608, false",
    "4194304, 6291456, true",
    "8388608, 4194304, true",
    "8388609, 4194304, false",
    "16777216, 65532, true"
  })
  void shouldSeemToHaveRoomOnlyIfItMayRead(long used, int length, boolean reads) {
    Budget budget = new Budget(MAX, () -> 2, new Shortage(() -> {}));
    budget.use(used);
    Inbox inbox = new Inbox(budget, MAX / 2);
    int arrived = Math.min(ARRIVED, length);
    inbox.append(ByteBuffer.allocate(arrived).putInt(0, length), arrived, System.nanoTime());
    assertEquals(reads, inbox.hasRoom());
    assertEquals(reads, inbox.mayRead());
  }
}
