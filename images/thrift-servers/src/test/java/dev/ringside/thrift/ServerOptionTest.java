package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.TimeUnit;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ServerOptionTest {
  /** Returns an option's value in the arguments, in the unit of its name. */
  private static String of(ServerOption option, TDisruptorServer.Args args) {
    switch (option) {
      case SELECTORS:
        return String.valueOf(args.selectors);
      case WORKERS:
        return String.valueOf(args.maxWorkers);
      case MIN_WORKERS:
        return String.valueOf(args.minWorkers);
      case RING_SIZE:
        return String.valueOf(args.ringSize);
      case WAIT_MODE:
        return args.waitMode.id();
      case MAX_FRAME_BYTES:
        return String.valueOf(args.maxFrameBytes);
      case MAX_READ_BUFFER_BYTES:
        return String.valueOf(args.maxReadBufferBytes);
      case MAX_CONNECTIONS:
        return String.valueOf(args.maxConnections);
      case IDLE_TIMEOUT_MS:
        return String.valueOf(TimeUnit.NANOSECONDS.toMillis(args.idleTimeoutNanos));
      case STALL_TIMEOUT_MS:
        return String.valueOf(TimeUnit.NANOSECONDS.toMillis(args.stallTimeoutNanos));
      case STOP_TIMEOUT_MS:
        return String.valueOf(TimeUnit.NANOSECONDS.toMillis(args.stopTimeoutNanos));
      case INLINE_LIMIT_US:
        return String.valueOf(TimeUnit.NANOSECONDS.toMicros(args.inlineLimitNanos));
      case BLOCKED_AFTER_US:
        return String.valueOf(TimeUnit.NANOSECONDS.toMicros(args.blockedAfterNanos));
      case LINGER_MS:
        return String.valueOf(args.lingerMillis);
      default:
        throw new AssertionError("where do the arguments have " + option + "?");
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldBeWhatTheArgumentsHaveUntilItIsSetFromText(ServerOption option) throws Exception {
    try (TNonblockingServerSocket socket = new TNonblockingServerSocket(RunningServer.freePort())) {
      TDisruptorServer.Args args = new TDisruptorServer.Args(socket);
      String otherwise =
          option == ServerOption.WAIT_MODE ? "blocking" : String.valueOf(option.otherwise());
      assertEquals(otherwise, of(option, args));
      String text = option == ServerOption.WAIT_MODE ? "sleeping" : "77";
      option.set(args, text);
      for (ServerOption other : ServerOption.values()) {
        String untouched =
            other == ServerOption.WAIT_MODE ? "blocking" : String.valueOf(other.otherwise());
        assertEquals(other == option ? text : untouched, of(other, args), other.name());
      }
    }
  }

  @Test
  void shouldRefuseWhatItMayNotBe() throws Exception {
    try (TNonblockingServerSocket socket = new TNonblockingServerSocket(RunningServer.freePort())) {
      TDisruptorServer.Args args = new TDisruptorServer.Args(socket);
      assertEquals(
          "ringSize is 'many': give a whole number from 1 up",
          assertThrows(
                  IllegalArgumentException.class, () -> ServerOption.RING_SIZE.set(args, "many"))
              .getMessage());
      assertEquals(
          "blockedAfterUs is 0: give at least 1",
          assertThrows(
                  IllegalArgumentException.class,
                  () -> ServerOption.BLOCKED_AFTER_US.set(args, "0"))
              .getMessage());
      assertThrows(IllegalArgumentException.class, () -> ServerOption.WAIT_MODE.set(args, "lazy"));
    }
  }

  @Test
  void shouldCountANumberThatIsTooLargeAsTheLargest() throws Exception {
    try (TNonblockingServerSocket socket = new TNonblockingServerSocket(RunningServer.freePort())) {
      TDisruptorServer.Args args = new TDisruptorServer.Args(socket);
      ServerOption.WORKERS.set(args, String.valueOf(Long.MAX_VALUE));
      ServerOption.RING_SIZE.set(args, String.valueOf(Long.MAX_VALUE));
      assertEquals(Integer.MAX_VALUE, args.maxWorkers);
      assertEquals(1 << 30, args.ringSize);
    }
  }

  @Test
  void shouldBeCalledInYamlAsInTheEnvironment() {
    assertEquals("maxReadBufferBytes", ServerOption.MAX_READ_BUFFER_BYTES.id());
    assertEquals("workers", ServerOption.WORKERS.id());
  }
}
