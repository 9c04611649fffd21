package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.metrics.Metrics;
import dev.ringside.thrift.internal.wire.Budget;
import dev.ringside.thrift.internal.wire.Frames;
import dev.ringside.thrift.internal.wire.Inbox;
import dev.ringside.thrift.internal.wire.Outbox;
import dev.ringside.thrift.internal.wire.Shortage;
import dev.ringside.thrift.internal.wire.ThreadBuffers;
import dev.ringside.thrift.internal.wire.Wire;
import java.io.ByteArrayOutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how often the bytes of a large frame are copied. */
@Timeout(180)
final class CopiesTest {
  private static final int READ = 64 << 10;

  private static Budget budget(long max) {
    return new Budget(max, () -> 1, new Shortage(() -> {}));
  }

  /** As a loop receives a frame: in reads of one size. */
  @ParameterizedTest
  @CsvSource({"65576, 1", "200000, 1", "1048616, 2", "16000000, 4"})
  void shouldCopyALargeFrameSeldomWhileItArrives(int length, int arrays) {
    Inbox inbox = new Inbox(budget(1 << 30), length);
    ByteBuffer frame = ByteBuffer.allocate(Frames.HEADER + length).putInt(length);
    frame.rewind();
    Set<byte[]> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    while (frame.hasRemaining()) {
      inbox.append(frame, Math.min(READ, frame.remaining()), 0);
      seen.add(inbox.bytes());
    }
    assertEquals(Frames.HEADER + length, inbox.to() - inbox.from());
    assertEquals(Frames.HEADER + length, inbox.bytes().length, "and has no more than that");
    assertEquals(arrays, seen.size());
  }

  @Test
  void shouldKnowAFrameThatIsNotComplete() {
    ByteBuffer bytes = ByteBuffer.allocate(20).putInt(10);
    bytes.rewind();
    assertFalse(Frames.isCut(bytes, 3, 100), "its length is not complete");
    assertTrue(Frames.isCut(bytes, 4, 100));
    assertTrue(Frames.isCut(bytes, 13, 100));
    assertFalse(Frames.isCut(bytes, 14, 100));
    assertFalse(Frames.isCut(bytes, 20, 100), "a second one begins");
    assertFalse(Frames.isCut(bytes, 13, 9), "it will be refused");
    bytes.putInt(0, -1);
    assertFalse(Frames.isCut(bytes, 13, 100));
  }

  /** Is a socket that accepts a number of bytes, and remembers which buffers they were in. */
  private static final class Socket implements InvocationHandler {
    final Set<ByteBuffer> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    final ByteArrayOutputStream received = new ByteArrayOutputStream();
    int room;
    int writes;

    Wire wire() {
      return (Wire)
          Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Wire.class}, this);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      if (!method.getName().equals("write")) {
        return method.getName().equals("flush");
      }
      writes++;
      if (arguments[1] instanceof ByteBuffer) {
        return take((ByteBuffer) arguments[1]);
      }
      long taken = 0;
      for (ByteBuffer bytes : (ByteBuffer[]) arguments[1]) {
        taken += take(bytes);
      }
      return taken;
    }

    private int take(ByteBuffer bytes) {
      seen.add(bytes);
      byte[] taken = new byte[Math.min(room, bytes.remaining())];
      bytes.get(taken);
      room -= taken.length;
      received.write(taken, 0, taken.length);
      return taken.length;
    }
  }

  private final Socket socket = new Socket();
  private final Budget budget = budget(64 << 20);
  private final ThreadBuffers io = new ThreadBuffers(READ, 0);
  private final Outbox outbox = new Outbox(socket.wire(), new Metrics("test"), budget);

  /** As generated code writes a reply: numbers, a field, the end of the message. */
  private void write(byte[] field) {
    io.replies.beginFrame();
    io.replies.write(new byte[20], 0, 20);
    io.replies.write(field, 0, field.length);
    for (int i = 0; i < 20; i++) {
      io.replies.write(new byte[1], 0, 1);
    }
    io.replies.endFrame();
  }

  private void assertReceived(byte[] field) {
    ByteBuffer received = ByteBuffer.wrap(socket.received.toByteArray());
    assertEquals(40 + field.length, received.getInt());
    byte[] bytes = new byte[field.length];
    received.position(Frames.HEADER + 20);
    received.get(bytes);
    assertArrayEquals(field, bytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 1000, READ - 50, READ - 24, READ - 20, READ, 1 << 20})
  void shouldSendAReplyOfAnySize(int length) throws Exception {
    byte[] field = Bytes.random(new Random(1), length);
    write(field);
    socket.room = Integer.MAX_VALUE;
    assertTrue(outbox.send(io));
    assertEquals(1, socket.writes);
    assertReceived(field);
    assertEquals(0, io.replies.size());
  }

  /** What follows the first reply begins in any part of the first piece, or in another. */
  @ParameterizedTest
  @ValueSource(ints = {100, READ - 46, READ - 45, READ - 44, READ - 43, READ, 3 * READ})
  void shouldFrameAReplyWhereverItBegins(int length) throws Exception {
    byte[] first = Bytes.random(new Random(1), length);
    write(first);
    write(Bytes.of("second"));
    socket.room = Integer.MAX_VALUE;
    assertTrue(outbox.send(io));
    assertReceived(first);
    ByteBuffer received = ByteBuffer.wrap(socket.received.toByteArray());
    assertEquals(40 + 6, received.getInt(Frames.HEADER + 40 + length));
  }

  @ParameterizedTest
  @ValueSource(ints = {64 << 10, 1 << 20})
  void shouldHoldNoMoreThanItsClientDoesNotRead(int length) throws Exception {
    byte[] field = Bytes.random(new Random(1), length);
    write(field);
    socket.room = length / 3;
    assertFalse(outbox.send(io));
    assertEquals(0, io.replies.size());
    int sent = 0;
    socket.room = length / 3;
    while (!outbox.sendUnsent(io)) {
      socket.room = length / 3;
      sent = socket.received.size();
      int rest = Frames.HEADER + 40 + length - sent;
      assertTrue(budget.used() >= rest, "all that it holds is counted");
      assertTrue(budget.used() < rest + 2 * READ, "it holds what is sent");
    }
    assertTrue(sent > length / 2);
    assertReceived(field);
    assertEquals(0, budget.used());
  }

  /** Others need it to start threads, so each of two threads keeps 16 pieces of 64 KiB at most. */
  @Test
  void shouldUseLittleDirectMemoryForLargeReplies() throws Exception {
    TestService service = new TestService().on("large", argument -> new byte[6 << 20]);
    try (RunningServer server = new RunningServer(service);
        Client client = server.connectAndCall("echo")) {
      long before = directBytes();
      for (int i = 0; i < 5; i++) {
        client.call("large", new byte[1]);
      }
      long used = directBytes() - before;
      assertTrue(used < 3 << 20, used + " bytes");
    }
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /** Of replies together, those before the one that failed are sent. */
  @Test
  void shouldRemoveALargeReplyOfARequestThatFails() throws Exception {
    byte[] field = Bytes.random(new Random(1), 100);
    write(field);
    int mark = io.replies.size();
    io.replies.publish();
    write(new byte[1 << 20]);
    io.replies.rewind(mark);
    socket.room = Integer.MAX_VALUE;
    assertTrue(outbox.send(io));
    assertReceived(field);
  }

  /** A thread that is late writes a large reply while another sends those before it. */
  @Test
  void shouldKeepWhatIsPublishedWhileALargeReplyIsWritten() throws Exception {
    byte[] field = Bytes.random(new Random(1), 1000);
    write(field);
    io.replies.publish();
    ThreadBuffers others = new ThreadBuffers(READ, 0);
    socket.room = 500;
    write(new byte[200_000]);
    write(new byte[1 << 20]);
    assertEquals(500, outbox.sendFor(io.replies, others));
    io.replies.drop(500);
    socket.room = Integer.MAX_VALUE;
    assertTrue(outbox.send(io));
    assertReceived(field);
    assertEquals(3 * (Frames.HEADER + 40) + 201_000 + (1 << 20), socket.received.size());
  }
}
