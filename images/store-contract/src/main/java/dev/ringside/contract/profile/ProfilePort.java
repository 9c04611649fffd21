package dev.ringside.contract.profile;

import dev.ringside.contract.Acceptor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The profile port of a store (docs/reference/store-contract.md): answers {@code GET
 * /profile?event=cpu&seconds=10} with the stacks of this JVM, sampled for that time. One daemon
 * thread waits for clients; each client has its own thread. async-profiler is loaded at the first
 * request for a profile.
 */
public final class ProfilePort implements AutoCloseable {
  private static final String THREADS = "ringside-profile";
  private static final int MAX_CLIENTS = 16;
  private static final int OK = 200;

  private final int port;
  private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
  private final Sampler sampler = new Sampler(THREADS);
  private final Consumer<String> warn;
  private final Acceptor acceptor;

  /**
   * Binds the port and starts to answer.
   *
   * @param warn receives errors that cannot be reported to a client, on the port's threads
   * @throws IllegalArgumentException with a message of one line if the port cannot be bound
   */
  public ProfilePort(InetSocketAddress address, Consumer<String> warn) {
    this.warn = warn;
    ServerSocket socket;
    try {
      socket = new ServerSocket(address.getPort(), MAX_CLIENTS, address.getAddress());
    } catch (IOException e) {
      throw new IllegalArgumentException(
          String.format(
              "cannot listen on %s:%d/tcp for profiles: is the port in use? (%s)",
              address.getAddress().getHostAddress(), address.getPort(), e.getMessage()),
          e);
    }
    port = socket.getLocalPort();
    acceptor = new Acceptor(THREADS, socket, this::take, warn);
  }

  /**
   * Opens the port of a store's settings, where 0 means none. Returns the action that closes it.
   *
   * @throws IllegalArgumentException with a message of one line if the port cannot be bound
   */
  public static Runnable open(InetSocketAddress address, Consumer<String> warn) {
    return address.getPort() == 0 ? () -> {} : new ProfilePort(address, warn)::close;
  }

  /** Returns the port. */
  public int port() {
    return port;
  }

  private void take(Socket client) {
    if (clients.size() >= MAX_CLIENTS) {
      end(client);
      return;
    }
    Thread thread = new Thread(() -> serve(client), THREADS + "-client");
    thread.setDaemon(true);
    clients.add(client);
    try {
      thread.start();
    } catch (Error e) {
      clients.remove(client); // otherwise it would occupy a place
      throw e;
    }
  }

  private void serve(Socket client) {
    try {
      answer(new Exchange(client));
    } catch (IOException e) {
      // The client is gone.
    } finally {
      end(client);
    }
  }

  private void answer(Exchange exchange) throws IOException {
    try {
      ProfileRequest request = ProfileRequest.parse(exchange.requestLine());
      answer(exchange, sampler.sample(request, exchange::pause));
    } catch (Refusal e) {
      exchange.answer(e.status(), Collections.emptyMap(), line(e.getMessage()));
    } catch (RuntimeException | LinkageError e) {
      warn.accept("a profile failed: " + e);
      Refusal why = new Refusal(Refusal.FAILED, "the profile failed (" + e + "): see the log");
      exchange.answer(why.status(), Collections.emptyMap(), line(why.getMessage()));
    }
  }

  private static void answer(Exchange exchange, Profile profile) throws IOException {
    byte[] text = profile.stacks().text();
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Ringside-Profile-Engine", profile.engine());
    headers.put("Ringside-Profile-Unit", profile.unit());
    headers.put("Ringside-Profile-Samples", Long.toString(profile.samples()));
    if (profile.stacks().folded() > 0) {
      headers.put("Ringside-Profile-Folded", Long.toString(profile.stacks().folded()));
    }
    exchange.answer(OK, headers, text);
  }

  private static byte[] line(String text) {
    return (text + '\n').getBytes(StandardCharsets.UTF_8);
  }

  private void end(Socket client) {
    clients.remove(client);
    try {
      client.close();
    } catch (IOException e) {
      // The connection is not used again.
    }
  }

  /**
   * Closes the port and all connections. No client can connect after it returns. For any thread.
   */
  @Override
  public void close() {
    try {
      acceptor.close();
    } catch (IOException e) {
      warn.accept("the port for profiles cannot be closed: " + e);
    }
    clients.forEach(this::end);
  }
}
