package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.ringside.thrift.internal.wire.FramePipe;
import dev.ringside.thrift.internal.wire.Libthrift;
import dev.ringside.thrift.internal.wire.MessageHeader;
import java.lang.ref.WeakReference;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TJSONProtocol;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolFactory;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
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

  /** Returns what must be rejected without work or memory that its few bytes do not justify. */
  static Stream<Arguments> lies() {
    TProtocolFactory binary = new TBinaryProtocol.Factory(true, true);
    TProtocolFactory compact = new TCompactProtocol.Factory();
    int many = 10_000_000;
    return Stream.of(
        // Lists of lists of elements that take no bytes: the work would grow with the square.
        Arguments.of(binary, 100_000, TType.LIST, new byte[] {TType.VOID, 0, 1, (byte) 0x80, 0}),
        Arguments.of(binary, 100_000, TType.SET, new byte[] {16, 0, 1, (byte) 0x80, 0}),
        Arguments.of(binary, 100_000, TType.LIST, new byte[] {0, 0, 1, (byte) 0x80, 0}),
        Arguments.of(compact, 100_000, TType.LIST, new byte[] {(byte) 0xf0, -1, -1, 5}),
        Arguments.of(binary, 20, TType.LIST, announced(TType.BYTE, many)),
        Arguments.of(binary, 20, TType.STRING, announced(many)),
        Arguments.of(compact, 20, TType.LIST, new byte[] {(byte) 0xf3, -1, -1, -1, 4}),
        Arguments.of(compact, 20, TType.SET, new byte[] {(byte) 0xf3, -1, -1, -1, 4}),
        Arguments.of(compact, 20, TType.MAP, new byte[] {-1, -1, -1, 4, 0x33}),
        Arguments.of(compact, 20, TType.STRING, new byte[] {-1, -1, -1, 4}));
  }

  private static byte[] announced(int length) {
    return ByteBuffer.allocate(4).putInt(length).array();
  }

  private static byte[] announced(byte type, int length) {
    return ByteBuffer.allocate(5).put(type).putInt(length).array();
  }

  @ParameterizedTest
  @MethodSource("lies")
  void shouldBelieveNoLengthBeyondTheFrame(
      TProtocolFactory factory, int length, byte type, byte[] begin) throws Exception {
    int max = 16_384_000;
    FramePipe input = new FramePipe(false, max);
    TProtocol protocol = Libthrift.limited(factory, max).getProtocol(input);
    byte[] frame = Arrays.copyOf(begin, length);
    input.reset(frame, 0, frame.length, 0);
    assertThrows(TException.class, () -> TProtocolUtil.skip(protocol, type));
    input.reset(frame, 0, frame.length, frame.length);
    assertThrows(TException.class, () -> TProtocolUtil.skip(protocol, type));
  }

  /** Generated code makes a list of as many places. */
  @Test
  void shouldNotAnnounceAListThatTheFrameCannotHave() throws Exception {
    byte[] frame = Arrays.copyOf(new byte[] {(byte) 0xf3, -1, -1, -1, 4}, 20);
    FramePipe input = new FramePipe(false, 16_384_000);
    input.reset(frame, 0, frame.length, 0);
    TProtocol protocol =
        Libthrift.limited(new TCompactProtocol.Factory(), 16_384_000).getProtocol(input);
    assertThrows(TException.class, protocol::readListBegin);
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
