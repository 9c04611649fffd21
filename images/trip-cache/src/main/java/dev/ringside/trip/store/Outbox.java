package dev.ringside.trip.store;

import dev.ringside.trip.stream.Acknowledgement;
import dev.ringside.trip.stream.FinishedTrip;
import dev.ringside.trip.stream.Packet;
import dev.ringside.trip.stream.StreamSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Acknowledges a client's points on its own thread. A client that does not read blocks this thread
 * only, not those that store or sync points. Everything that was added since the last
 * acknowledgement goes into one.
 */
final class Outbox implements AutoCloseable {
  /** Largest number of a client's packets without an acknowledgement. */
  static final int MAX_PENDING = 64;

  /**
   * Points in flight of a client on a connection, at most. More finished trips wait only if a
   * client does not read.
   */
  private static final int MAX_FINISHED = MAX_PENDING * Packet.MAX_POINTS;

  private final StreamSocket socket;
  private final IntConsumer told;
  private final Consumer<String> say;
  private long points;
  private int packets;
  private int gaps;
  private List<FinishedTrip> finished = new ArrayList<>();
  private String fault = "";
  private boolean closed;

  /**
   * Creates an outbox without starting its thread.
   *
   * @param told receives the number of packets acknowledged, on the outbox's thread; at the end it
   *     receives {@link #MAX_PENDING}, so that a waiting reader continues
   * @param say receives the reason if a connection is closed
   */
  Outbox(StreamSocket socket, IntConsumer told, Consumer<String> say) {
    this.socket = socket;
    this.told = told;
    this.say = say;
  }

  /** Starts the thread. Call this once. */
  void start(String name) {
    Thread thread = new Thread(this::run, name + "-acknowledge");
    thread.setDaemon(true);
    thread.start();
  }

  /** Adds packets to the next acknowledgement. Does not block. */
  synchronized void add(int packets, int points, int gaps, List<FinishedTrip> finished) {
    if (closed) {
      return;
    }
    if (this.finished.size() + finished.size() > MAX_FINISHED) {
      say.accept(
          String.format(
              "closed a connection: %d finished trips wait for it; read the acknowledgements",
              this.finished.size() + finished.size()));
      close();
      return;
    }
    this.packets += packets;
    this.points += points;
    this.gaps += gaps;
    this.finished.addAll(finished);
    notifyAll();
  }

  /** Sends an error after the pending acknowledgements, and closes the connection. */
  synchronized void fail(String why) {
    fault = why;
    notifyAll();
  }

  private void run() {
    try {
      int sent = next();
      while (sent > 0) {
        told.accept(sent);
        sent = next();
      }
    } catch (IOException | InterruptedException e) {
      // the client has disconnected; it sends unacknowledged points again
    } finally {
      close();
      told.accept(MAX_PENDING);
    }
  }

  /**
   * Waits for the next acknowledgement and sends it. Returns its number of packets, or 0 at the
   * end.
   */
  private int next() throws IOException, InterruptedException {
    int now;
    String failed;
    Acknowledgement next;
    synchronized (this) {
      while (packets == 0 && fault.isEmpty() && !closed) {
        wait();
      }
      now = closed ? 0 : packets;
      failed = closed ? "" : fault;
      next = new Acknowledgement(points, gaps, finished, "");
      packets = 0;
      gaps = 0;
      finished = new ArrayList<>();
    }
    if (now > 0) {
      socket.acknowledge(next);
    } else if (!failed.isEmpty()) {
      socket.acknowledge(new Acknowledgement(next.points(), 0, List.of(), failed));
    }
    return now;
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Closes the connection. */
  @Override
  public synchronized void close() {
    closed = true;
    finished = new ArrayList<>();
    notifyAll();
    try {
      socket.close();
    } catch (IOException e) {
      // nothing depends on the result
    }
  }
}
