package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.wire.ThreadBuffers;
import dev.ringside.thrift.internal.wire.Wire;
import dev.ringside.thrift.internal.wire.WireFactory;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how much one read of a client's records may decrypt before others have their turn. */
@Timeout(60)
final class TlsWireTest {
  private static final int RECORDS = 300;

  /** One takes a few µs, so this is a fraction of a millisecond. */
  private static final int MOST_PER_READ = 64;

  /** Is what a client does after the handshake. */
  private interface Act {
    void run(SSLSocket client) throws Exception;
  }

  /** Returns how many reads it takes until {@code bytes} have come, and the socket is empty. */
  private static int reads(String protocol, int bytes, Act act) throws Exception {
    try (ServerSocketChannel listener =
        ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0))) {
      int port = listener.socket().getLocalPort();
      SSLSocket client =
          (SSLSocket) TlsKeys.own().trusting().getSocketFactory().createSocket("127.0.0.1", port);
      // So that all that it has sent is there to be read.
      client.setTcpNoDelay(true);
      client.setEnabledProtocols(new String[] {protocol});
      SocketChannel channel = listener.accept();
      channel.configureBlocking(false);
      Wire wire = new WireFactory(TlsKeys.own().presenting(), false, null, null).wire(channel);
      ThreadBuffers io = new ThreadBuffers(64 << 10, 0);
      FutureTask<Void> handshake =
          new FutureTask<>(
              () -> {
                client.startHandshake();
                return null;
              });
      new Thread(handshake).start();
      while (!handshake.isDone() || wire.isUnfinished()) {
        readOnce(wire, io);
      }
      FutureTask<Void> acts =
          new FutureTask<>(
              () -> {
                act.run(client);
                return null;
              });
      new Thread(acts).start();
      acts.get();
      int reads = 0;
      int read = 0;
      while (read < bytes) {
        int count = readOnce(wire, io);
        assertTrue(count <= MOST_PER_READ * Math.max(1, bytes / RECORDS), count + " bytes");
        read += count;
        reads++;
      }
      assertEquals(bytes, read);
      client.close();
      channel.close();
      return reads;
    }
  }

  private static int readOnce(Wire wire, ThreadBuffers io) throws Exception {
    int count = wire.read(io);
    Runnable steps = wire.steps();
    if (steps != null) {
      steps.run();
    }
    return count;
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void shouldDecryptFewOfManyTinyRecordsAtOnce(String protocol) throws Exception {
    int reads =
        reads(
            protocol,
            RECORDS,
            client -> {
              for (int i = 0; i < RECORDS; i++) {
                client.getOutputStream().write(1);
              }
            });
    assertTrue(reads >= RECORDS / MOST_PER_READ, reads + " reads");
  }

  /** Messages that change the keys bring no bytes; a byte after them tells that all have come. */
  @Test
  void shouldTakeFewOfManyMessagesOfTlsItselfAtOnce() throws Exception {
    int reads =
        reads(
            "TLSv1.3",
            1,
            client -> {
              for (int i = 0; i < RECORDS; i++) {
                client.startHandshake();
              }
              client.getOutputStream().write(1);
            });
    assertTrue(reads >= RECORDS / MOST_PER_READ, reads + " reads");
  }
}
