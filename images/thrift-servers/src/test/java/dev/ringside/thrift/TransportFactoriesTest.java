package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.metrics.CloseReason;
import java.net.Socket;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TJSONProtocol;
import org.apache.thrift.protocol.TProtocolFactory;
import org.apache.thrift.transport.TTransportFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests transport factories of users: subclasses, wrappers, and limits. */
@Timeout(180)
final class TransportFactoriesTest {
  static Stream<TProtocolFactory> protocols() {
    return Stream.of(
        new TBinaryProtocol.Factory(), new TCompactProtocol.Factory(), new TJSONProtocol.Factory());
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void shouldServeBehindASubclassOfTheFramingFactory(TProtocolFactory protocol) throws Exception {
    try (RunningServer server =
            new RunningServer(
                new TestService(),
                args ->
                    args.protocolFactory(protocol)
                        .transportFactory(VersionedFraming.subclass(1 << 24)));
        Client client = new Client(new Socket(), server.port, protocol)) {
      Random random = new Random(1);
      for (int length : new int[] {0, 1, 100, 70_000, 1_500_000}) {
        byte[] payload = Bytes.random(random, length);
        assertArrayEquals(payload, client.call("echo", payload));
      }
    }
  }

  @Test
  void shouldKeepTheLimitOfTheFramingFactory() throws Exception {
    for (TTransportFactory factory : VersionedFraming.limitedTo(500)) {
      try (RunningServer server =
              new RunningServer(new TestService(), args -> args.transportFactory(factory));
          Client small = server.connect();
          Client large = server.connect()) {
        assertEquals(400, small.call("echo", new byte[400]).length);
        assertThrows(TApplicationException.class, () -> large.call("echo", new byte[600]));
        assertTrue(large.isClosedByServer());
        assertEquals(1, server.closed(CloseReason.BAD_FRAME));
      }
    }
  }

  @Test
  void shouldLetNoTransportChangeTheLimitsOfTheProcess() throws Exception {
    int before = VersionedFraming.limitOfTheProcess();
    try (RunningServer server =
            new RunningServer(
                new TestService(), args -> args.transportFactory(VersionedFraming.subclass(777)));
        Client client = server.connect()) {
      assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
    }
    assertEquals(before, VersionedFraming.limitOfTheProcess());
  }
}
