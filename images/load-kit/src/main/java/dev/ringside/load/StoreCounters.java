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
 * Reads the counters of the store's pods between two windows, from all pods at once
 * (docs/reference/store-contract.md). A lost request is sent again. If a pod has not answered
 * within the patience, the reading is incomplete; after {@value #IMPATIENT_AFTER} incomplete
 * readings in a row, the patience is a tenth until a reading is complete. Errors here never fail
 * the load. For one thread.
 */
final class StoreCounters implements Closeable {
  static final int IMPATIENT_AFTER = 3;

  /** Long enough for a pod that answers only after a garbage collection. */
  static final long PATIENCE_MILLIS = 1_000;

  /** How much shorter the patience is for pods that have not answered for long. */
  private static final int IMPATIENCE = 10;

  /** How often a request is sent within the patience. */
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

  /** Creates the reader. The pods need not be reachable. */
  StoreCounters(List<Endpoint> pods, long patienceMillis, PrintStream err) throws IOException {
    pods.forEach(pod -> this.pods.add(new InetSocketAddress(pod.host(), pod.port())));
    patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    this.err = err;
    socket = new DatagramSocket();
  }

  /** Returns the counters of each pod, after all have answered or the patience is over. */
  Reading read() {
    List<Map<String, Long>> counters = new ArrayList<>();
    pods.forEach(pod -> counters.add(null));
    Reading reading = new Reading(counters);
    if (pods.isEmpty()) {
      return reading;
    }
    long patience = lostInARow < IMPATIENT_AFTER ? patienceNanos : patienceNanos / IMPATIENCE;
    long start = System.nanoTime();
    id++;
    for (int attempt = 1; attempt <= TRIES && !reading.complete(); attempt++) {
      ask(counters);
      receive(counters, reading, start + patience * attempt / TRIES);
    }
    readings++;
    nanos += System.nanoTime() - start;
    lostInARow = reading.complete() ? 0 : lostInARow + 1;
    lost += reading.complete() ? 0 : 1;
    if (lostInARow > 0 && lostInARow <= IMPATIENT_AFTER) {
      err.println("/load: no counters from " + pods.get(counters.indexOf(null)));
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
          // like a packet that is lost on the way
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
        // The network reports that one pod is unreachable; others may answer.
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

  /** Parses an answer; returns null if it is malformed or answers another request. */
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

  /** Returns a summary of the readings, in one line. */
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
