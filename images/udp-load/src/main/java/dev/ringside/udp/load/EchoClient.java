package dev.ringside.udp.load;

import dev.ringside.load.Client;
import dev.ringside.load.ConnectionLostException;
import dev.ringside.load.Endpoint;
import dev.ringside.load.Outcome;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Is one client: a connected socket with one request at a time. The kernel passes on datagrams from
 * the server's port only.
 *
 * <p>Waits with a selector, which costs three system calls per request; a socket with a timeout
 * costs seven on current JDKs. For one thread.
 */
final class EchoClient implements Client {
  private static final int GREETINGS = 10;

  private final Orders orders;
  private final SplittableRandom random;
  private final DatagramChannel channel;
  private final Selector selector;
  private final Message message;
  private final Replies replies = new Replies();
  private final ByteBuffer request = ByteBuffer.allocateDirect(Message.MAX_BYTES);
  // Has one more byte, so that an answer that is too long is detected.
  private final ByteBuffer answer = ByteBuffer.allocateDirect(Message.MAX_BYTES + 1);
  private long sent;

  /**
   * Connects, and waits until the server has answered once.
   *
   * @param random draws sizes; used by this client only
   * @throws IOException with one line if there is no answer
   */
  EchoClient(Orders orders, Endpoint server, SplittableRandom random) throws IOException {
    this.orders = orders;
    this.random = random;
    message = new Message(random.nextLong());
    InetSocketAddress address = new InetSocketAddress(server.host(), server.port());
    if (address.isUnresolved()) {
      throw new UnknownHostException(server.host());
    }
    selector = Selector.open();
    channel = DatagramChannel.open();
    try {
      channel.connect(address);
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ);
      greet();
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Retries, because a lost greeting is not an outcome of the load. */
  private void greet() throws IOException {
    for (int i = 0; i < GREETINGS; i++) {
      if (exchange().isAnswered()) {
        return;
      }
    }
    throw new IOException(
        String.format(
            "no answer to %d requests, %d ms each", GREETINGS, orders.common().timeoutMillis()));
  }

  @Override
  public Outcome operate(long number) throws Exception {
    try {
      return exchange();
    } catch (PortUnreachableException e) {
      throw new ConnectionLostException("nobody listens there any more", e);
    }
  }

  private Outcome exchange() throws IOException {
    long number = sent++;
    try {
      return exchange(number);
    } catch (IOException e) {
      // Its answer may still arrive: that is a late answer, not a duplicate.
      replies.lost(number);
      throw e;
    }
  }

  private Outcome exchange(long number) throws IOException {
    int letters = random.nextInt(orders.lettersMin(), orders.lettersMax() + 1);
    message.write(request, number, letters);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(orders.common().timeoutMillis());
    channel.write(request);
    for (long left = timeLeft(end); left > 0; left = timeLeft(end)) {
      selector.select(left);
      selector.selectedKeys().clear();
      while (read()) {
        long of = message.numberOf(answer);
        if (of == Message.NOT_MINE || of > number) {
          throw new IOException("an answer to a request that this client never sent");
        }
        // The length of an earlier request is unknown. Its number and letters differ from this
        // one's.
        int has = answer.remaining() - Message.HEADER_BYTES;
        message.check(answer, of, of == number ? letters : has);
        if (of == number) {
          return replies.answered();
        }
        replies.earlier(of);
      }
    }
    return replies.lost(number);
  }

  private boolean read() throws IOException {
    answer.clear();
    int bytes = channel.read(answer);
    answer.flip();
    return bytes > 0;
  }

  /** Returns whole milliseconds, rounded up, because a select with 0 has no timeout. */
  private static long timeLeft(long endNanos) {
    long left = endNanos - System.nanoTime();
    return left <= 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(left) + 1;
  }

  @Override
  public void close() {
    try {
      selector.close();
      channel.close();
    } catch (IOException e) {
      // nothing depends on the result
    }
  }
}
