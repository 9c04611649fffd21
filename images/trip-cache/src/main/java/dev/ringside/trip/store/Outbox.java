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
 * Acknowledges a client's points on a thread of its own: a client that does not read makes that
 * thread wait, and none of those that take points into the cache or sync it. What has come
 * meanwhile is one acknowledgement.
 */
final class Outbox implements AutoCloseable {
  /** Packets of a client that may be under way. */
  static final int MAX_PENDING = 64;

  /** More of them than a client can have under way wait only for one that does not read. */
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
   * Not started.
   *
   * @param told how many packets were acknowledged, by the outbox's thread; as many as may be under
   *     way once no more will be
   * @param say told why a connection was closed
   */
  Outbox(StreamSocket socket, IntConsumer told, Consumer<String> say) {
    this.socket = socket;
    this.told = told;
    this.say = say;
  }

  /** Starts its thread; once. */
  void start(String name) {
    Thread thread = new Thread(this::run, name + "-acknowledge");
    thread.setDaemon(true);
    thread.start();
  }

  /** More is to be acknowledged. Does not wait. */
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

  /** Says why there will be no more, behind what is to be acknowledged, and ends it. */
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
      // the client has gone; it will ask again for what it does not know of
    } finally {
      close();
      told.accept(MAX_PENDING);
    }
  }

  /** Waits for something to say, and says it; of how many packets, none once this has ended. */
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

  /** Hangs up. */
  @Override
  public synchronized void close() {
    closed = true;
    finished = new ArrayList<>();
    notifyAll();
    try {
      socket.close();
    } catch (IOException e) {
      // nothing was promised to anybody
    }
  }
}
