package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that handlers may keep their arguments, which are not copied if they are large. */
@Timeout(180)
final class OwnMemoryTest {
  /** Keeps the argument of each call and never answers. */
  private static final class Keeper extends VersionedProcessor {
    final Queue<ByteBuffer> kept = new ConcurrentLinkedQueue<>();

    @Override
    void handle(TProtocol in, TProtocol out) throws TException {
      in.readMessageBegin();
      in.readStructBegin();
      in.readFieldBegin();
      ByteBuffer argument = in.readBinary();
      in.readFieldEnd();
      in.readFieldBegin();
      in.readStructEnd();
      in.readMessageEnd();
      kept.add(argument);
    }
  }

  private final Keeper keeper = new Keeper();
  private final Random random = new Random(42);
  private final List<byte[]> sent = new ArrayList<>();

  @Test
  void shouldNeverChangeAnArgumentThatAHandlerKeeps() throws Exception {
    try (RunningServer server = new RunningServer(keeper);
        Client client = server.connect()) {
      for (int round = 0; round < 50; round++) {
        ByteArrayOutputStream requests = new ByteArrayOutputStream();
        for (int i = random.nextInt(20); i >= 0; i--) {
          requests.write(request(random.nextInt(random.nextBoolean() ? 300 : 200_000)));
        }
        client.send(requests.toByteArray());
      }
      RunningServer.await("all have run", () -> keeper.kept.size() == sent.size());
    }
    for (byte[] expected : sent) {
      ByteBuffer argument = keeper.kept.remove();
      byte[] bytes = new byte[argument.remaining()];
      argument.get(bytes);
      assertArrayEquals(expected, bytes);
    }
  }

  @Test
  void shouldCopyOnlyArgumentsOfSmallRequests() throws Exception {
    try (RunningServer server = new RunningServer(keeper);
        Client client = server.connect()) {
      for (int length : new int[] {100, 1 << 20, 200, 70_000}) {
        byte[] request = request(length);
        client.send(request);
        RunningServer.await("it has run", () -> !keeper.kept.isEmpty());
        int expected = length < 64 << 10 ? length : request.length;
        assertEquals(expected, keeper.kept.remove().array().length);
      }
    }
  }

  private byte[] request(int length) throws Exception {
    sent.add(Bytes.random(random, length));
    return Client.frame(
        new TBinaryProtocol.Factory(),
        "keep",
        TMessageType.ONEWAY,
        sent.size(),
        sent.get(sent.size() - 1));
  }
}
