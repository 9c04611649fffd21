package dev.ringside.contract.profile;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A {@link ProfiledStore} in its own process, so that the loaded library affects no other test. */
final class ForkedStore implements AutoCloseable {
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Process process;
  private final int port;

  private ForkedStore(String classPath, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-cp", classPath));
    command.addAll(List.of(options));
    command.add(ProfiledStore.class.getName());
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader out = process.inputReader();
    port = Integer.parseInt(out.readLine());
  }

  static ForkedStore with(String... options) throws IOException {
    return new ForkedStore(System.getProperty("java.class.path"), options);
  }

  static ForkedStore onClassPath(String classPath) throws IOException {
    return new ForkedStore(classPath);
  }

  HttpResponse<String> profile(String event, int seconds) throws Exception {
    return get("/profile?event=" + event + "&seconds=" + seconds);
  }

  HttpResponse<String> get(String target) throws Exception {
    String host = InetAddress.getLoopbackAddress().getHostAddress();
    URI uri = URI.create("http://" + host + ":" + port + target);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  /** Sends a request and returns its connection, which the caller closes. */
  Socket ask(String event, int seconds) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    String request =
        "GET /profile?event=" + event + "&seconds=" + seconds + " HTTP/1.1\r\nHost: x\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  boolean hasLibrary() throws IOException {
    return Files.readString(Path.of("/proc", Long.toString(process.pid()), "maps"))
        .contains("asyncProfiler");
  }

  /** Returns the number of threads with that prefix in their name. */
  long threads(String name) throws IOException {
    try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
      return tasks.filter(task -> name(task).startsWith(name)).count();
    }
  }

  private static String name(Path task) {
    try {
      return Files.readString(task.resolve("comm"));
    } catch (IOException e) {
      return ""; // ended since
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
