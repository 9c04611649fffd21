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
        return String.valueOf(args.options.selectors);
      case WORKERS:
        return String.valueOf(args.options.maxWorkers);
      case MIN_WORKERS:
        return String.valueOf(args.options.minWorkers);
      case RING_SIZE:
        return String.valueOf(args.options.ringSize);
      case MAX_FRAME_BYTES:
        return String.valueOf(args.options.maxFrameBytes);
      case MAX_READ_BUFFER_BYTES:
        return String.valueOf(args.options.maxReadBufferBytes);
      case MAX_CONNECTIONS:
        return String.valueOf(args.options.maxConnections);
      case IDLE_TIMEOUT_MS:
        return String.valueOf(TimeUnit.NANOSECONDS.toMillis(args.options.idleTimeoutNanos));
      case STALL_TIMEOUT_MS:
        return String.valueOf(TimeUnit.NANOSECONDS.toMillis(args.options.stallTimeoutNanos));
      case STOP_TIMEOUT_MS:
        return String.valueOf(TimeUnit.NANOSECONDS.toMillis(args.options.stopTimeoutNanos));
      case INLINE_LIMIT_US:
        return String.valueOf(TimeUnit.NANOSECONDS.toMicros(args.options.inlineLimitNanos));
      case BLOCKED_AFTER_US:
        return String.valueOf(TimeUnit.NANOSECONDS.toMicros(args.options.blockedAfterNanos));
      case LINGER_MS:
        return String.valueOf(args.options.lingerMillis);
      default:
        throw new AssertionError("where do the arguments have " + option + "?");
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldBeWhatTheArgumentsHaveUntilItIsSetFromText(ServerOption option) throws Exception {
    try (TNonblockingServerSocket socket = new TNonblockingServerSocket(RunningServer.freePort())) {
      TDisruptorServer.Args args = new TDisruptorServer.Args(socket);
      assertEquals(String.valueOf(option.otherwise()), of(option, args));
      String text = "7";
      option.set(args, text);
      for (ServerOption other : ServerOption.values()) {
        String untouched = String.valueOf(other.otherwise());
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
    }
  }

  @Test
  void shouldCountANumberThatIsTooLargeAsTheLargest() throws Exception {
    try (TNonblockingServerSocket socket = new TNonblockingServerSocket(RunningServer.freePort())) {
      TDisruptorServer.Args args = new TDisruptorServer.Args(socket);
      ServerOption.WORKERS.set(args, String.valueOf(Long.MAX_VALUE));
      ServerOption.RING_SIZE.set(args, String.valueOf(Long.MAX_VALUE));
      assertEquals(Integer.MAX_VALUE, args.options.maxWorkers);
      assertEquals(1 << 20, args.options.ringSize);
    }
  }

  @Test
  void shouldBeCalledInYamlAsInTheEnvironment() {
    assertEquals("maxReadBufferBytes", ServerOption.MAX_READ_BUFFER_BYTES.id());
    assertEquals("workers", ServerOption.WORKERS.id());
  }
}
