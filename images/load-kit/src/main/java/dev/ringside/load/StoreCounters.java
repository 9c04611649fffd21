package dev.ringside.load;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Asks the counters ports of the store's pods (charts/README.md), all at once, between two windows.
 * A question that is lost is asked again; a pod that has not answered when the patience is over
 * leaves the reading incomplete, and after {@value #GIVE_UP_AFTER} such readings in a row no more
 * are tried. Nothing that goes wrong here fails the load. For one thread.
 */
final class StoreCounters implements Closeable {
  static final int GIVE_UP_AFTER = 3;

  /** A pod that collects garbage answers when it is done. */
  static final long PATIENCE_MILLIS = 1_000;

  /** Of the patience, after which the question is asked again. */
  private static final int TRIES = 4;

  private static final int MAX_ANSWER_BYTES = 4_096;
  private static final String ID = "id ";

  private final List<InetSocketAddress> pods = new ArrayList<>();
  private final DatagramSocket socket;
  private final DatagramPacket packet =
      new DatagramPacket(new byte[MAX_ANSWER_BYTES], MAX_ANSWER_BYTES);
  private final long patienceNanos;
  private final PrintStream err;
  private long id;
  private int lostInARow;
  private long readings;
  private long lost;
  private long nanos;

  /** None of the pods need be there. */
  StoreCounters(List<Endpoint> pods, long patienceMillis, PrintStream err) throws IOException {
    pods.forEach(pod -> this.pods.add(new InetSocketAddress(pod.host(), pod.port())));
    patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    this.err = err;
    socket = new DatagramSocket();
  }

  /** What each pod has counted by now; returns when all have answered, or the patience is over. */
  Reading read() {
    List<Map<String, Long>> counters = new ArrayList<>();
    pods.forEach(pod -> counters.add(null));
    Reading reading = new Reading(counters);
    if (pods.isEmpty() || lostInARow >= GIVE_UP_AFTER) {
      return reading;
    }
    long start = System.nanoTime();
    id++;
    for (int attempt = 1; attempt <= TRIES && !reading.complete(); attempt++) {
      ask(counters);
      receive(counters, reading, start + patienceNanos * attempt / TRIES);
    }
    readings++;
    nanos += System.nanoTime() - start;
    lostInARow = reading.complete() ? 0 : lostInARow + 1;
    if (!reading.complete()) {
      lost++;
      err.println("/load: no counters from " + pods.get(counters.indexOf(null)));
    }
    if (lostInARow == GIVE_UP_AFTER) {
      err.println("/load: the counters are not asked for any more");
    }
    return reading;
  }

  private void ask(List<Map<String, Long>> counters) {
    byte[] question = ("counters " + id).getBytes(StandardCharsets.US_ASCII);
    for (int pod = 0; pod < pods.size(); pod++) {
      if (counters.get(pod) == null && !pods.get(pod).isUnresolved()) {
        try {
          socket.send(new DatagramPacket(question, question.length, pods.get(pod)));
        } catch (IOException e) {
          // As if it were lost on the way.
        }
      }
    }
  }

  private void receive(List<Map<String, Long>> counters, Reading reading, long until) {
    while (!reading.complete()) {
      long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
      if (left <= 0) {
        return;
      }
      try {
        socket.setSoTimeout((int) left);
        packet.setLength(MAX_ANSWER_BYTES);
        socket.receive(packet);
      } catch (SocketTimeoutException e) {
        return;
      } catch (IOException e) {
        // The network's word that a pod is not there: the others may be.
        continue;
      }
      int pod = pods.indexOf(packet.getSocketAddress());
      if (pod >= 0) {
        String text =
            new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
        Map<String, Long> answer = parse(text, id);
        counters.set(pod, answer == null ? counters.get(pod) : answer);
      }
    }
  }

  /** The counters of an answer to that question; null if it is another's, or none. */
  static Map<String, Long> parse(String answer, long id) {
    List<String> lines = Arrays.asList(answer.split("\n"));
    if (!lines.get(0).equals(ID + id)) {
      return null;
    }
    Map<String, Long> counters = new TreeMap<>();
    for (String line : lines.subList(1, lines.size())) {
      if (!line.matches("[a-z][a-z0-9_]* [0-9]{1,18}")) {
        return null;
      }
      int space = line.indexOf(' ');
      counters.put(line.substring(0, space), Long.parseLong(line.substring(space + 1)));
    }
    return counters;
  }

  /** In one line. */
  @Override
  public String toString() {
    return String.format(
        "%d readings of %d pods, %d us each, %d of them incomplete",
        readings,
        pods.size(),
        readings == 0 ? 0 : TimeUnit.NANOSECONDS.toMicros(nanos / readings),
        lost);
  }

  @Override
  public void close() {
    socket.close();
  }
}
