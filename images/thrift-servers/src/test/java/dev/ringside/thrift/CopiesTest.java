package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.metrics.Metrics;
import dev.ringside.thrift.internal.wire.Frames;
import dev.ringside.thrift.internal.wire.Inbox;
import dev.ringside.thrift.internal.wire.LargeBuffers;
import dev.ringside.thrift.internal.wire.Outbox;
import dev.ringside.thrift.internal.wire.ReadBudget;
import dev.ringside.thrift.internal.wire.ThreadBuffers;
import dev.ringside.thrift.internal.wire.UnsentBytes;
import dev.ringside.thrift.internal.wire.Wire;
import java.io.ByteArrayOutputStream;
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

  /** As a loop receives a frame: in reads of one size. */
  @ParameterizedTest
  @CsvSource({"65576, 1", "200000, 1", "1048616, 2", "16000000, 4"})
  void shouldCopyALargeFrameSeldomWhileItArrives(int length, int arrays) {
    Inbox inbox = new Inbox(new ReadBudget(1 << 30, () -> {}), length);
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

    Wire wire() {
      return (Wire)
          Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Wire.class}, this);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      if (!method.getName().equals("write")) {
        return method.getName().equals("flush");
      }
      ByteBuffer bytes = (ByteBuffer) arguments[1];
      seen.add(bytes);
      byte[] taken = new byte[Math.min(room, bytes.remaining())];
      bytes.get(taken);
      received.write(taken, 0, taken.length);
      return taken.length;
    }
  }

  private final LargeBuffers large = new LargeBuffers(32 << 20);
  private final Socket socket = new Socket();
  private final UnsentBytes unsent = new UnsentBytes(64 << 20);
  private final ThreadBuffers io = new ThreadBuffers(READ, large);
  private final Outbox outbox = new Outbox(socket.wire(), new Metrics(), unsent, large);

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

  /**
   * From the handler to the buffer, and from there to the socket: Java adds none if it is direct.
   */
  @ParameterizedTest
  @ValueSource(ints = {100, 1000, 64 << 10, 1 << 20})
  void shouldCopyAReplyTwice(int length) throws Exception {
    byte[] field = Bytes.random(new Random(1), length);
    write(field);
    assertEquals(0, large.keptBytes(), "it has outgrown no buffer that was borrowed for it");
    socket.room = Integer.MAX_VALUE;
    assertTrue(outbox.send(io));
    assertReceived(field);
    assertEquals(1, socket.seen.size());
    assertTrue(socket.seen.iterator().next().isDirect());
    assertEquals(0, large.lentBytes());
  }

  @ParameterizedTest
  @ValueSource(ints = {64 << 10, 1 << 20})
  void shouldNotCopyALargeReplyBecauseItsClientDoesNotReadAllOfIt(int length) throws Exception {
    byte[] field = Bytes.random(new Random(1), length);
    write(field);
    socket.room = length / 3;
    assertFalse(outbox.send(io));
    assertEquals(0, io.replies.size());
    assertEquals(large.lentBytes(), unsent.get(), "all that it holds is charged");
    assertFalse(outbox.sendUnsent(io));
    write(new byte[10]);
    socket.room = length;
    assertTrue(outbox.sendUnsent(io));
    assertReceived(field);
    assertEquals(1, socket.seen.size());
    assertEquals(0, large.lentBytes());
    assertEquals(0, unsent.get());
  }

  /** The buffer may be much larger than the rest. */
  @Test
  void shouldHoldOnlyTheRestWhereTheLimitLeavesNoMoreMemory() throws Exception {
    byte[] field = Bytes.random(new Random(1), 1 << 20);
    write(field);
    assertTrue(unsent.tryAdd(63 << 20));
    socket.room = 1_000_000;
    assertFalse(outbox.send(io));
    assertEquals((63 << 20) + Frames.HEADER + 40 + field.length - 1_000_000, unsent.get());
    assertEquals(0, large.lentBytes());
    assertTrue(outbox.sendUnsent(io));
    assertReceived(field);
    assertEquals(63 << 20, unsent.get());
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
    assertEquals(0, large.lentBytes());
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
    ThreadBuffers others = new ThreadBuffers(READ, large);
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

  /** A new array for each reply is cleared first, and is garbage after it. */
  @Test
  void shouldAllocateNoMemoryForEachLargeReply() throws Exception {
    byte[] reply = new byte[1 << 20];
    TestService service = new TestService().on("large", argument -> reply);
    try (RunningServer server = new RunningServer(service);
        Client client = server.connectAndCall("large")) {
      int calls = 50;
      for (int i = 0; i < calls; i++) {
        client.call("large", new byte[1]);
      }
      long before = allocated(server);
      for (int i = 0; i < calls; i++) {
        client.call("large", new byte[1]);
      }
      long each = (allocated(server) - before) / calls;
      assertTrue(each < reply.length / 10, each + " bytes for each");
    }
  }

  /** Returns how many bytes the threads of a server have allocated. */
  private static long allocated(RunningServer server) {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("test-" + server.port))
        .mapToLong(thread -> threads.getThreadAllocatedBytes(thread.getId()))
        .sum();
  }
}
