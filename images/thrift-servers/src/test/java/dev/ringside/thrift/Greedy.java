package dev.ringside.thrift;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.thrift.TException;

/** Is a client that always has 500 to 1,000 requests under way, on a thread of its own. */
final class Greedy implements AutoCloseable {
  private static final int HALF = 500;

  private final Client client;
  private final String method;
  private final Thread thread = new Thread(this::run, "greedy");
  private volatile boolean ends;
  private volatile Throwable failure;

  Greedy(Client client, String method) {
    this.client = client;
    this.method = method;
    thread.start();
  }

  private void run() {
    try {
      send(0);
      for (int received = 0; !ends; received += HALF) {
        send(received + HALF);
        for (int i = received; i < received + HALF; i++) {
          client.receive(method, i);
        }
      }
    } catch (IOException | TException | RuntimeException | Error e) {
      if (!ends) {
        failure = e;
      }
    }
  }

  private void send(int from) throws TException, IOException {
    ByteArrayOutputStream batch = new ByteArrayOutputStream();
    for (int i = from; i < from + HALF; i++) {
      batch.write(Client.frame(method, i, new byte[1]));
    }
    client.send(batch.toByteArray());
  }

  /** Breaks the connection. */
  @Override
  public void close() throws Exception {
    ends = true;
    client.close();
    thread.join();
    if (failure != null) {
      throw new AssertionError("a greedy client is not served", failure);
    }
  }
}
