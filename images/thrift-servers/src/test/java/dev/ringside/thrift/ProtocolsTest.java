package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.ringside.thrift.internal.wire.MessageHeader;
import java.lang.ref.WeakReference;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TJSONProtocol;
import org.apache.thrift.protocol.TProtocolFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(180)
final class ProtocolsTest {
  /** It may be one of many megabytes, and its thread idle from then on. */
  @Test
  void shouldNotKeepAFrameWhoseHeaderItHasParsed() throws Exception {
    MessageHeader header = new MessageHeader();
    WeakReference<byte[]> frame = new WeakReference<>(Client.frame("echo", 1, new byte[10]));
    byte[] bytes = frame.get();
    header.parse(bytes, 4, bytes.length);
    bytes = null;
    RunningServer.await(
        "it is collected",
        () -> {
          System.gc();
          return frame.get() == null;
        });
    assertEquals(4, header.nameTo() - header.nameFrom());
  }

  static Stream<TProtocolFactory> protocols() {
    return Stream.of(
        new TBinaryProtocol.Factory(true, true),
        new TBinaryProtocol.Factory(false, false),
        new TCompactProtocol.Factory(),
        new TJSONProtocol.Factory());
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void shouldSpeakAnyFramedProtocol(TProtocolFactory protocol) throws Exception {
    try (RunningServer server =
            new RunningServer(new TestService(), args -> args.protocolFactory(protocol));
        Client client = new Client(new Socket(), server.port, protocol)) {
      Random random = new Random(1);
      for (int length : new int[] {0, 1, 100, 70_000, 1_500_000}) {
        byte[] payload = Bytes.random(random, length);
        assertArrayEquals(payload, client.call("echo", payload));
        assertArrayEquals(payload, client.call("service:echo", payload));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void shouldKnowMethodsByNameInAnyProtocol(TProtocolFactory protocol) throws Exception {
    byte[] frame = Client.frame(protocol, "service:method", (byte) 1, 77, Bytes.of("x"));
    MessageHeader header = new MessageHeader();
    header.parse(frame, 4, frame.length);
    String name = new String(frame, header.nameFrom(), header.nameTo() - header.nameFrom());
    assertEquals("service:method", name);
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void shouldNotAnswerOnewayCalls(TProtocolFactory protocol) throws Exception {
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    TestService service =
        new TestService()
            .on(
                "tell",
                argument -> {
                  seen.add(Bytes.text(argument));
                  return argument;
                });
    try (RunningServer server = new RunningServer(service, args -> args.protocolFactory(protocol));
        Client client = new Client(new Socket(), server.port, protocol)) {
      client.sendOneway("tell", Bytes.of("one"));
      assertEquals("after", Bytes.text(client.call("echo", Bytes.of("after"))));
      assertEquals("one", seen.poll(10, TimeUnit.SECONDS));
    }
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void shouldAnswerAHandlerThatThrowsAndGoOn(TProtocolFactory protocol) throws Exception {
    TestService service =
        new TestService()
            .on(
                "fail",
                argument -> {
                  throw new IllegalStateException("on purpose");
                });
    try (RunningServer server = new RunningServer(service, args -> args.protocolFactory(protocol));
        Client client = new Client(new Socket(), server.port, protocol)) {
      for (int i = 0; i < 3; i++) {
        TApplicationException failure =
            assertThrows(TApplicationException.class, () -> client.call("fail", Bytes.of("x")));
        assertEquals(TApplicationException.INTERNAL_ERROR, failure.getType());
        assertEquals("still here", Bytes.text(client.call("echo", Bytes.of("still here"))));
      }
      assertEquals(3, server.metrics().handlerFailures.sum());
    }
  }
}
