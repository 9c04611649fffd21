package dev.ringside.contract;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The counters port of a store (docs/reference/store-contract.md): answers each {@link Question},
 * as in {@code counters <id>}, with one datagram of {@code name value} lines; if it has no values
 * for a question, with only the line of the id. One daemon thread waits for requests.
 */
public final class CounterPort implements AutoCloseable {
  private static final Pattern REQUEST = Pattern.compile("([a-z]+) ([0-9]{1,20})\\s*");
  private static final int MAX_REQUEST_BYTES = 64;

  private final DatagramSocket socket;
  private final Map<Question, Supplier<Map<String, Long>>> answers;
  private final Consumer<String> warn;
  private final Thread thread;

  /**
   * Binds the port and starts to answer.
   *
   * @param answers called by one thread
   * @param warn receives a warning about each request that failed, on that thread
   * @throws IllegalArgumentException with a message of one line if the port cannot be bound
   */
  public CounterPort(
      InetSocketAddress address,
      Map<Question, Supplier<Map<String, Long>>> answers,
      Consumer<String> warn) {
    this.answers = new EnumMap<>(Question.class);
    this.answers.putAll(answers);
    this.warn = warn;
    try {
      socket = new DatagramSocket(address);
    } catch (SocketException e) {
      throw new IllegalArgumentException(
          String.format(
              "cannot listen on %s:%d/udp for counters: is the port in use? (%s)",
              address.getAddress().getHostAddress(), address.getPort(), e.getMessage()),
          e);
    }
    thread = new Thread(this::serve, "counters");
    thread.setDaemon(true);
    thread.start();
  }

  private void serve() {
    DatagramPacket packet = new DatagramPacket(new byte[MAX_REQUEST_BYTES], MAX_REQUEST_BYTES);
    while (!socket.isClosed()) {
      try {
        packet.setLength(MAX_REQUEST_BYTES);
        socket.receive(packet);
        Matcher request = REQUEST.matcher(ascii(packet));
        Question question = request.matches() ? Question.of(request.group(1)) : null;
        if (question != null) {
          Supplier<Map<String, Long>> asked = answers.getOrDefault(question, Collections::emptyMap);
          byte[] answer = answer(request.group(2), asked).getBytes(StandardCharsets.US_ASCII);
          socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
        }
      } catch (Throwable e) {
        // The caller gets no answer. An Error must not end this thread.
        if (!socket.isClosed()) {
          warn.accept("a question for counters was not answered: " + e);
        }
      }
    }
  }

  private static String ascii(DatagramPacket packet) {
    return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
  }

  private static String answer(String id, Supplier<Map<String, Long>> asked) {
    StringBuilder answer = new StringBuilder("id ").append(id).append('\n');
    asked.get().forEach((name, value) -> answer.append(name + ' ' + value + '\n'));
    return answer.toString();
  }

  /**
   * Closes the port. It waits for the thread, and so for an answer in progress, because the port
   * stays bound while a thread waits in receive().
   */
  @Override
  public void close() {
    socket.close();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
