package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TJSONProtocol;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolFactory;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.apache.thrift.transport.TIOStreamTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ReplyKindTest {
  private static final int VOID = -1;
  private static final int FAILED = -2;

  static Stream<TProtocolFactory> known() {
    return Stream.of(
        new TBinaryProtocol.Factory(),
        new TBinaryProtocol.Factory(false, false),
        new TCompactProtocol.Factory());
  }

  /** Returns a reply as generated code writes it. */
  private static byte[] reply(TProtocolFactory protocol, int field, byte type) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TProtocol out = protocol.getProtocol(new TIOStreamTransport(bytes));
    if (field == FAILED) {
      out.writeMessageBegin(new TMessage("get", TMessageType.EXCEPTION, 7));
      new TApplicationException(TApplicationException.INTERNAL_ERROR, "x").write(out);
    } else {
      out.writeMessageBegin(new TMessage("get", TMessageType.REPLY, 7));
      writeResult(out, field, type);
    }
    out.writeMessageEnd();
    out.getTransport().flush();
    return bytes.toByteArray();
  }

  private static void writeResult(TProtocol out, int field, byte type) throws TException {
    out.writeStructBegin(new TStruct("result"));
    if (field != VOID) {
      out.writeFieldBegin(new TField("some", type, (short) field));
      if (type == TType.BOOL) {
        out.writeBool(true);
      } else {
        out.writeStructBegin(new TStruct("thing"));
        out.writeFieldStop();
        out.writeStructEnd();
      }
      out.writeFieldEnd();
    }
    out.writeFieldStop();
    out.writeStructEnd();
  }

  private static ReplyKind kind(byte[] reply) {
    byte[] within = new byte[reply.length + 9];
    System.arraycopy(reply, 0, within, 4, reply.length);
    Arrays.fill(within, 4 + reply.length, within.length, (byte) 0x55);
    return ReplyKind.of(new MessageHeader(), within, 4, 4 + reply.length);
  }

  @ParameterizedTest
  @MethodSource("known")
  void shouldTellResultsFromExceptionsAndFailures(TProtocolFactory protocol) throws Exception {
    assertEquals(ReplyKind.RESULT, kind(reply(protocol, VOID, TType.STOP)));
    assertEquals(ReplyKind.RESULT, kind(reply(protocol, 0, TType.STRUCT)));
    assertEquals(ReplyKind.RESULT, kind(reply(protocol, 0, TType.BOOL)));
    for (int exception : new int[] {1, 2, 15, 16, 100, 256, 30_000}) {
      assertEquals(
          ReplyKind.DECLARED, kind(reply(protocol, exception, TType.STRUCT)), "" + exception);
    }
    assertEquals(ReplyKind.FAILURE, kind(reply(protocol, FAILED, TType.STOP)));
  }

  @Test
  void shouldTakeForAResultWhatItDoesNotKnow() throws Exception {
    assertEquals(ReplyKind.RESULT, kind(reply(new TJSONProtocol.Factory(), FAILED, TType.STRUCT)));
    assertEquals(ReplyKind.RESULT, kind(Bytes.of("no Thrift at all")));
  }

  /** A truncated reply is never read beyond its end. */
  @ParameterizedTest
  @MethodSource("known")
  void shouldBearAReplyThatIsCutOff(TProtocolFactory protocol) throws Exception {
    byte[] whole = reply(protocol, 0, TType.STRUCT);
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertEquals(
          ReplyKind.RESULT, ReplyKind.of(new MessageHeader(), part, 0, length), "" + length);
    }
  }
}
