package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.TProcessorFactory;
import org.apache.thrift.transport.TTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the effects of handlers that throw and clients that disconnect. */
@Timeout(180)
final class FailureTest {
  private static TestService failing(Throwable thrown) {
    return new TestService()
        .on(
            "fail",
            argument -> {
              if (thrown instanceof Error) {
                throw (Error) thrown;
              }
              throw (Exception) thrown;
            });
  }

  @Test
  void shouldAnswerUncheckedExceptionsAndErrors() throws Exception {
    for (Throwable thrown :
        Arrays.asList(
            new IllegalStateException("on purpose"),
            new AssertionError("on purpose"),
            new StackOverflowError("on purpose"),
            new NoClassDefFoundError("on purpose"))) {
      try (RunningServer server = new RunningServer(failing(thrown));
          Client neighbour = server.connect();
          Client client = server.connect()) {
        assertEquals(
            TApplicationException.INTERNAL_ERROR,
            assertThrows(TApplicationException.class, () -> client.call("fail", Bytes.of("x")))
                .getType());
        assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
        assertEquals("y", Bytes.text(neighbour.call("echo", Bytes.of("y"))));
      }
    }
  }

  @Test
  void shouldCloseOnlyTheConnectionOfACheckedExceptionOrALackOfMemory() throws Exception {
    for (Throwable thrown :
        Arrays.asList(new TException("on purpose"), new OutOfMemoryError("on purpose"))) {
      try (RunningServer server = new RunningServer(failing(thrown));
          Client neighbour = server.connect();
          Client client = server.connect()) {
        // Earlier requests are still answered.
        int before = client.send("echo", Bytes.of("before"));
        client.send("fail", Bytes.of("x"));
        assertEquals("before", Bytes.text(client.receive("echo", before)));
        assertTrue(client.isClosedByServer());
        assertEquals("y", Bytes.text(neighbour.call("echo", Bytes.of("y"))));
      }
    }
  }

  @Test
  void shouldNotMixAHalfWrittenReplyIntoTheNext() throws Exception {
    VersionedProcessor halfWay =
        new VersionedProcessor() {
          private final TestService service = new TestService();
          private boolean failed;

          @Override
          public void handle(
              org.apache.thrift.protocol.TProtocol in, org.apache.thrift.protocol.TProtocol out)
              throws TException {
            if (!failed) {
              failed = true;
              out.writeString("half a reply");
              throw new IllegalStateException("on purpose");
            }
            service.handle(in, out);
          }
        };
    try (RunningServer server = new RunningServer(halfWay);
        Client client = server.connect()) {
      assertThrows(TApplicationException.class, () -> client.call("echo", Bytes.of("x")));
      assertEquals("whole", Bytes.text(client.call("echo", Bytes.of("whole"))));
    }
  }

  @Test
  void shouldOutliveHandlersThatInterruptTheirThread() throws Exception {
    TestService service =
        new TestService().after("interrupt", () -> Thread.currentThread().interrupt());
    try (RunningServer server = new RunningServer(service, args -> args.selectors(1));
        Client neighbour = server.connect();
        Client client = server.connect()) {
      for (int i = 0; i < 20; i++) {
        assertEquals("x", Bytes.text(client.call("interrupt", Bytes.of("x"))));
        assertEquals("y", Bytes.text(neighbour.call("echo", Bytes.of("y"))));
      }
    }
  }

  @Test
  void shouldOutliveClientsThatVanishAtEveryStage() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    TestService service =
        new TestService()
            .on(
                "block",
                argument -> {
                  gate.await(20, TimeUnit.SECONDS);
                  return new byte[1 << 20];
                })
            .on("large", argument -> new byte[4 << 20]);
    try (RunningServer server = new RunningServer(service);
        Client neighbour = server.connect()) {
      byte[] frame = Client.frame("echo", 1, new byte[1000]);
      for (boolean reset : new boolean[] {false, true}) {
        vanish(server.connect(), reset);
        for (int cut : new int[] {1, 3, 4, 5, 20, frame.length - 1}) {
          Client client = server.connect();
          client.send(java.util.Arrays.copyOf(frame, cut));
          vanish(client, reset);
        }
        Client unread = server.connect();
        unread.send("large", new byte[0]);
        vanish(unread, reset);
        Client inHandler = server.connect();
        inHandler.send("block", new byte[0]);
        vanish(inHandler, reset);
        Client withMore = server.connect();
        withMore.send("block", new byte[0]);
        withMore.send(frame);
        withMore.send(java.util.Arrays.copyOf(frame, 10));
        vanish(withMore, reset);
      }
      assertEquals("y", Bytes.text(neighbour.call("echo", Bytes.of("y"))));
      gate.countDown();
      RunningServer.await("only one is left", () -> server.server.core().connections() == 1);
      assertEquals("y", Bytes.text(neighbour.call("echo", Bytes.of("y"))));
      assertEquals(0, server.server.core().run.requests.held());
    }
  }

  private static void vanish(Client client, boolean reset) throws Exception {
    if (reset) {
      client.reset();
    } else {
      client.close();
    }
  }

  @Test
  void shouldAnswerAClientThatHasClosedItsHalf() throws Exception {
    try (RunningServer server = new RunningServer(new TestService());
        Client client = server.connect()) {
      int id = client.send("echo", Bytes.of("last words"));
      client.socket().shutdownOutput();
      assertEquals("last words", Bytes.text(client.receive("echo", id)));
      assertThrows(EOFException.class, () -> client.receive("echo", id));
    }
  }

  @Test
  void shouldRefuseAnAsynchronousProcessor() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> {
              try (RunningServer server =
                  new RunningServer(
                      new TestService(), args -> args.processor(VersionedProcessor.async()))) {
                server.connect().close();
              }
            });
    assertTrue(refused.getMessage().contains("give this server the service's Processor"));
  }

  @Test
  void shouldCloseAConnectionThatAFactoryGivesAnAsynchronousProcessor() throws Exception {
    TProcessorFactory factory =
        new TProcessorFactory(new TestService()) {
          @Override
          public TProcessor getProcessor(TTransport transport) {
            return transport == null ? new TestService() : VersionedProcessor.async();
          }
        };
    try (RunningServer server =
            new RunningServer(new TestService(), args -> args.processorFactory(factory));
        Client client = server.connect()) {
      client.send(Client.frame("echo", 1, new byte[1]));
      assertTrue(client.isClosedByServer());
    }
  }
}
