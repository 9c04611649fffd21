package dev.ringside.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.load.LoadFixture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.apache.thrift.transport.TFramedTransport;
import org.apache.thrift.transport.TIOStreamTransport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a server that accepts every put and stalls at the end of the phase. */
@Timeout(120)
class StandstillTest {
  private static final long MILLI = 1_000_000;

  @TempDir Path folder;
  private LoadFixture load;
  private ServerSocket server;
  private long firstNanos;
  private long fromNanos;
  private long untilNanos;

  @BeforeEach
  void serve() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(
        () -> {
          while (true) {
            Socket socket = server.accept();
            daemon(() -> answer(socket));
          }
        });
    load =
        new LoadFixture(folder, (environment, out, err) -> new Load(Orders.of(environment)).run())
            .with("RINGSIDE_OPERATION", "write", "RINGSIDE_DURATION_SECONDS", "1")
            .with("RINGSIDE_ENDPOINTS", "127.0.0.1:" + server.getLocalPort())
            .with("RINGSIDE_TARGET_RATE", "200", "RINGSIDE_KEYS", "100");
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  @Test
  void shouldDoAllThatWasDueInAPhaseThatEndsInAStandstill() throws Exception {
    fromNanos = 500 * MILLI;
    untilNanos = 1_500 * MILLI;
    load.succeed();
    assertEquals(Map.of("operations", 200L), load.summary());
    Histogram responses = load.times().get("WRITE-rt");
    assertEquals(200, responses.getTotalCount());
    assertTrue(responses.getMaxValue() > 400 * MILLI, "slowest: " + responses.getMaxValue());
  }

  @Test
  void shouldCountWhatItGaveUp() throws Exception {
    fromNanos = 300 * MILLI;
    untilNanos = 4_000 * MILLI;
    load.with("RINGSIDE_PARAM_TIMEOUT_MS", "200").succeed();
    assertTrue(load.summary("not_begun") > 0);
    assertEquals(
        200, load.summary("operations") + load.summary("errors") + load.summary("not_begun"));
  }

  private synchronized void standStill() {
    long now = System.nanoTime();
    firstNanos = firstNanos == 0 ? now : firstNanos;
    if (now - firstNanos >= fromNanos && now - firstNanos < untilNanos) {
      try {
        TimeUnit.NANOSECONDS.sleep(firstNanos + untilNanos - now);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void answer(Socket socket) throws IOException, TException {
    TProtocol protocol =
        new TBinaryProtocol(
            new TFramedTransport(
                new TIOStreamTransport(socket.getInputStream(), socket.getOutputStream())));
    while (true) {
      TMessage call = protocol.readMessageBegin();
      TProtocolUtil.skip(protocol, TType.STRUCT);
      protocol.readMessageEnd();
      standStill();
      protocol.writeMessageBegin(new TMessage(call.name, TMessageType.REPLY, call.seqid));
      protocol.writeStructBegin(new TStruct(""));
      protocol.writeFieldBegin(new TField("", TType.I32, (short) 0));
      protocol.writeI32(0);
      protocol.writeFieldEnd();
      protocol.writeFieldStop();
      protocol.writeStructEnd();
      protocol.writeMessageEnd();
      protocol.getTransport().flush();
    }
  }

  private interface Task {
    void run() throws IOException, TException;
  }

  private static void daemon(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException | TException e) {
                // the test is over, or the load has closed the connection
              }
            });
    thread.setDaemon(true);
    thread.start();
  }
}
