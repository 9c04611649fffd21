package dev.ringside.http.load;

import dev.ringside.load.Client;
import dev.ringside.load.ConnectionLostException;
import dev.ringside.load.Endpoint;
import dev.ringside.load.ErrorKind;
import dev.ringside.load.Outcome;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** Is a connection of one thread: it sends a request and waits for the answer. */
final class HttpClient implements Client {
  private static final int RETRY_MILLIS = 2;

  private final Orders orders;
  private final Population population;
  private final Asked asked;
  private final Requests requests;
  private final Answer answer;
  private final Socket socket = new Socket();

  HttpClient(Orders orders, Population population, Asked asked, Endpoint server)
      throws IOException {
    this.orders = orders;
    this.population = population;
    this.asked = asked;
    answer = new Answer(orders.valueSize());
    requests = new Requests(orders, population, server.toString());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(orders.common().timeoutMillis());
    socket.connect(
        new InetSocketAddress(server.host(), server.port()), orders.common().timeoutMillis());
  }

  @Override
  public Outcome operate(long number) throws Exception {
    asked.next(number);
    Outcome outcome = exchange();
    for (int waited = 0; outcome == Judgement.BUSY && orders.retryBusy(); waited += RETRY_MILLIS) {
      if (waited >= orders.common().timeoutMillis()) {
        throw new WrongAnswerException(
            ErrorKind.UNAVAILABLE, "the server was busy for " + waited + " ms");
      }
      Thread.sleep(RETRY_MILLIS);
      outcome = exchange();
    }
    return outcome;
  }

  private Outcome exchange() throws ConnectionLostException, WrongAnswerException {
    try {
      ByteBuffer request = requests.of(asked.number());
      socket.getOutputStream().write(request.array(), 0, request.limit());
      receive();
    } catch (IOException e) {
      throw new ConnectionLostException(e.toString(), e);
    }
    if (answer.closes()) {
      throw new ConnectionLostException(
          ErrorKind.STORE_FAILED,
          "the server answers " + answer.status() + " and ends the connection: " + answer.text(),
          null);
    }
    return Judgement.of(orders.operation(), asked, answer, population);
  }

  private void receive() throws IOException {
    InputStream in = socket.getInputStream();
    ByteBuffer buffer = answer.buffer();
    answer.next();
    do {
      int read = in.read(buffer.array(), buffer.position(), buffer.remaining());
      if (read < 0) {
        throw new EOFException("the server ended the connection");
      }
      buffer.position(buffer.position() + read);
    } while (!answer.complete());
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // The connection is not used any more.
    }
  }
}
