package dev.ringside.contract;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The maintenance port of a store (docs/reference/store-contract-faults.md): a client of the same
 * pod sends the name of a task as a line, and gets the lines {@code begun} and, at the task's end,
 * {@code done} or {@code failed <reason>}. If the client closes the connection before, the task is
 * stopped. There is one task at a time; further clients wait. The port listens on the loopback
 * address only.
 *
 * <p>A task that ends with a restart of the process answers {@code restarts} in place of {@code
 * done}. The client then sends {@code restarted}, on connections of its own, until the new process
 * answers {@code done}. So a store must open the port only when it serves.
 */
public final class MaintenancePort implements AutoCloseable {
  private static final String THREADS = "ringside-maintenance";
  private static final String DONE = "done";
  private static final String RESTARTS = "restarts";

  /** The question after a restart. The process that restarts never answers it: it is busy. */
  private static final String RESTARTED = "restarted";

  private static final int HEAD_MILLIS = 5_000;
  private static final int STOP_MILLIS = 100;
  private static final int MAX_NAME = 31;
  private static final int BACKLOG = 8;

  private final int port;
  private final Map<String, MaintenanceTask> tasks;
  private final Consumer<String> warn;
  private final Acceptor acceptor;

  /**
   * Binds the port and starts to wait.
   *
   * @param port number of the port; 0 for any
   * @param tasks by name
   * @param warn receives errors of tasks, on the port's threads
   * @throws IllegalArgumentException with a message of one line if the port cannot be bound
   */
  public MaintenancePort(int port, Map<String, MaintenanceTask> tasks, Consumer<String> warn) {
    this.tasks = tasks;
    this.warn = warn;
    ServerSocket socket;
    try {
      socket = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new IllegalArgumentException(
          String.format(
              "cannot listen on loopback:%d/tcp for maintenance: is the port in use? (%s)",
              port, e.getMessage()),
          e);
    }
    this.port = socket.getLocalPort();
    acceptor = new Acceptor(THREADS, socket, this::serve, warn);
  }

  /** Returns the port. */
  public int port() {
    return port;
  }

  /** Serves one client on the acceptor's thread, so that others wait. */
  private void serve(Socket from) {
    try (Socket client = from) {
      client.setSoTimeout(HEAD_MILLIS);
      String name = line(client.getInputStream());
      if (name.equals(RESTARTED)) {
        answer(client, DONE);
        return;
      }
      MaintenanceTask task = tasks.get(name);
      if (task == null) {
        answer(client, failed("there is no task " + name + "; use one of " + names()));
        return;
      }
      client.setSoTimeout(0);
      carryOut(name, task, client);
    } catch (SocketTimeoutException e) {
      warn.accept("a client of the maintenance port sent no task");
    } catch (IOException e) {
      // The client is gone, or this port is closed.
    }
  }

  private void carryOut(String name, MaintenanceTask task, Socket client) throws IOException {
    FutureTask<Void> work =
        new FutureTask<>(
            () -> {
              task.run();
              return null;
            });
    answer(client, "begun");
    Thread watch = new Thread(() -> stopWithout(client, name, task, work), THREADS + "-watch");
    watch.setDaemon(true);
    watch.start();
    work.run(); // on this thread: the next client waits for its end, even if this one is gone
    String outcome = outcome(name, work);
    Optional<Runnable> restart = outcome.equals(DONE) ? task.restart() : Optional.empty();
    try {
      answer(client, restart.isPresent() ? RESTARTS : outcome);
    } finally {
      restart.ifPresent(Runnable::run);
      client.close();
      join(watch);
    }
  }

  /** Waits, so that the stop of one task cannot hit the next. */
  private static void join(Thread watch) {
    try {
      watch.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops a task when its client closes the connection before the task's end. */
  private void stopWithout(
      Socket client, String name, MaintenanceTask task, FutureTask<Void> work) {
    try {
      while (client.getInputStream().read() >= 0) {
        // What the client sends after the name means nothing.
      }
    } catch (IOException e) {
      // It is gone, too.
    }
    try {
      while (!endsWithin(work, STOP_MILLIS)) {
        task.stop(); // again and again: a stop before the work is in progress has no effect
      }
    } catch (Exception e) {
      warn.accept("task " + name + " cannot be stopped: " + e);
    }
  }

  private static boolean endsWithin(FutureTask<Void> work, int millis) throws InterruptedException {
    try {
      work.get(millis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      return true; // it failed, which the other thread reports
    }
    return true;
  }

  private String outcome(String name, FutureTask<Void> work) {
    try {
      work.get();
      return DONE;
    } catch (ExecutionException e) {
      warn.accept("task " + name + " failed: " + e.getCause());
      return failed(String.valueOf(e.getCause()));
    } catch (InterruptedException e) { // it has ended, so nothing waits
      Thread.currentThread().interrupt();
      return failed("the store ends");
    }
  }

  private String names() {
    return String.join(", ", new TreeSet<>(tasks.keySet()));
  }

  private static String failed(String reason) {
    return "failed " + reason.replaceAll("\\s+", " ");
  }

  private static void answer(Socket client, String line) throws IOException {
    client.getOutputStream().write((line + '\n').getBytes(StandardCharsets.UTF_8));
  }

  /** Reads a line of at most the longest name. */
  private static String line(InputStream in) throws IOException {
    StringBuilder name = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n' && name.length() < MAX_NAME; c = in.read()) {
      name.append((char) c);
    }
    return name.toString();
  }

  /** Closes the port. It returns when the task that runs has ended. */
  @Override
  public void close() throws IOException {
    acceptor.close();
  }
}
