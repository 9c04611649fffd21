package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Socket;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolFactory;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class MethodMetricsTest {
  private static final long SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private static TestService service() {
    return new TestService()
        .on(
            "sleep",
            argument -> {
              long began = System.nanoTime();
              while (System.nanoTime() - began < SLEEP_NANOS) {
                LockSupport.parkNanos(SLEEP_NANOS);
              }
              return argument;
            })
        .on(
            "fail",
            argument -> {
              throw new IllegalStateException("on purpose");
            });
  }

  private static Map<String, MethodMetrics> metrics(RunningServer server) {
    return server.server.methodMetrics().stream()
        .collect(Collectors.toMap(MethodMetrics::getName, Function.identity()));
  }

  private static void assertCounted(
      MethodMetrics method, long calls, long exceptions, long failures) {
    assertEquals(calls, method.getCalls(), method.toString());
    assertEquals(exceptions, method.getExceptions(), method.toString());
    assertEquals(failures, method.getFailures(), method.toString());
  }

  @Test
  void shouldCountCallsFailuresAndTimeOfEachMethod() throws Exception {
    try (RunningServer server = new RunningServer(service(), args -> args.methodMetrics(true));
        Client client = server.connect()) {
      for (int i = 0; i < 50; i++) {
        client.call("echo", Bytes.of("x"));
      }
      for (int i = 0; i < 10; i++) {
        client.call("sleep", Bytes.of("x"));
        assertThrows(TApplicationException.class, () -> client.call("fail", Bytes.of("x")));
        assertThrows(TApplicationException.class, () -> client.call("none", Bytes.of("x")));
        client.sendOneway("fail", Bytes.of("x"));
      }
      client.call("echo", Bytes.of("x"));
      Map<String, MethodMetrics> methods = metrics(server);
      assertCounted(methods.get("echo"), 51, 0, 0);
      assertCounted(methods.get("sleep"), 10, 0, 0);
      assertCounted(methods.get("fail"), 20, 0, 20);
      assertCounted(methods.get("none"), 10, 0, 10);
      assertEquals(4, methods.size());
      assertTrue(methods.get("sleep").getNanos() >= 10 * SLEEP_NANOS);
    }
  }

  @Test
  void shouldCountARequestThatIsNotUnderstood() throws Exception {
    try (RunningServer server = new RunningServer(service(), args -> args.methodMetrics(true));
        Client client = server.connect()) {
      byte[] request = Client.frame("echo", 1, Bytes.of("x"));
      byte[] cut = java.util.Arrays.copyOf(request, request.length - 3);
      cut[3] -= 3;
      client.send(cut);
      assertTrue(client.isClosedByServer());
      assertCounted(metrics(server).get("echo"), 1, 0, 1);
    }
  }

  @Test
  void shouldTellExceptionsThatTheInterfaceDeclares() throws Exception {
    for (TProtocolFactory protocol :
        new TProtocolFactory[] {new TBinaryProtocol.Factory(), new TCompactProtocol.Factory()}) {
      try (RunningServer server =
              new RunningServer(
                  new Declares(), args -> args.protocolFactory(protocol).methodMetrics(true));
          Client client = new Client(new Socket(), server.port, protocol)) {
        for (int i = 0; i < 3; i++) {
          client.call("declare", Bytes.of("x"));
        }
        assertCounted(metrics(server).get("declare"), 3, 3, 0);
      }
    }
  }

  @Test
  void shouldCountNothingUnlessToldTo() throws Exception {
    try (RunningServer server = new RunningServer(service());
        Client client = server.connect()) {
      client.call("echo", Bytes.of("x"));
      assertTrue(server.server.methodMetrics().isEmpty());
    }
  }

  /** Invented names of a client use limited memory, and all their calls are counted. */
  @Test
  void shouldBoundTheNumberOfNamesAndLoseNoCall() {
    MethodTable table = new MethodTable(1000, true);
    int names = 100_000;
    for (int i = 0; i < names; i++) {
      byte[] name = Bytes.of("hostile" + i);
      MethodHabits habits = table.find(name, 0, name.length);
      habits.ranInline(1, -1);
      habits.counts().add(2, i % 2 == 0 ? ReplyKind.FAILURE : ReplyKind.DECLARED);
    }
    assertTrue(table.metrics().size() <= 1025, "names: " + table.metrics().size());
    MethodMetrics all =
        table.metrics().stream().reduce(MethodMetrics::plus).orElseThrow(AssertionError::new);
    assertCounted(all, names, names / 2, names / 2);
    assertEquals(2L * names, all.getNanos());
  }

  /**
   * A connection keeps its last method, even if the method's name has lost its entry in the table.
   */
  @Test
  void shouldGoOnCountingAMethodWhoseNameHasLostItsPlace() {
    MethodTable table = new MethodTable(1000, true);
    byte[] name = Bytes.of("get");
    MethodHabits get = table.find(name, 0, name.length);
    get.counts().add(1, ReplyKind.RESULT);
    for (int i = 0; table.find(name, 0, name.length) == get; i++) {
      byte[] other = Bytes.of("other" + i);
      table.find(other, 0, other.length);
    }
    get.counts().add(1, ReplyKind.RESULT);
    MethodMetrics all =
        table.metrics().stream().reduce(MethodMetrics::plus).orElseThrow(AssertionError::new);
    assertEquals(2, all.getCalls());
  }

  /** Answers every call with the first exception of its interface. */
  private static final class Declares extends VersionedProcessor {
    @Override
    void handle(TProtocol in, TProtocol out) throws TException {
      TMessage request = in.readMessageBegin();
      TProtocolUtil.skip(in, TType.STRUCT);
      in.readMessageEnd();
      out.writeMessageBegin(new TMessage(request.name, TMessageType.REPLY, request.seqid));
      out.writeStructBegin(new TStruct("result"));
      out.writeFieldBegin(new TField("declared", TType.STRING, (short) 1));
      out.writeString("x");
      out.writeFieldEnd();
      out.writeFieldStop();
      out.writeStructEnd();
      out.writeMessageEnd();
      out.getTransport().flush();
    }
  }
}
