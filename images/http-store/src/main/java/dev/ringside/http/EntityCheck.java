package dev.ringside.http;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Sends requests to a server as a client does, for the probes and for {@code helm test}. */
final class EntityCheck {
  private static final int TIMEOUT_MILLIS = 4000;
  private static final byte[] VALUE = "written by the check".getBytes(StandardCharsets.UTF_8);

  private EntityCheck() {}

  /** Reports whether the server sends any answer. An answer that it is too busy counts, too. */
  static boolean answers(String host, int port) {
    try {
      return status(host + ":" + port, "probe", "GET") > 0;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Writes, reads and removes one value.
   *
   * @param server {@code host:port}
   * @throws IOException if one of the requests fails
   */
  static void writeAndRead(String server) throws IOException {
    String id = "check-" + server.hashCode();
    expect(status(server, id, "PUT"), 201, "PUT", server);
    HttpURLConnection get = open(server, id, "GET");
    expect(get.getResponseCode(), 200, "GET", server);
    if (!Arrays.equals(get.getInputStream().readAllBytes(), VALUE)) {
      throw new IOException(server + " gives back something else than was written");
    }
    expect(status(server, id, "DELETE"), 202, "DELETE", server);
  }

  private static void expect(int status, int wanted, String method, String server)
      throws IOException {
    if (status != wanted) {
      throw new IOException(server + " answers " + status + " to " + method + ", not " + wanted);
    }
  }

  private static int status(String server, String id, String method) throws IOException {
    HttpURLConnection connection = open(server, id, method);
    try {
      return connection.getResponseCode();
    } finally {
      connection.disconnect();
    }
  }

  private static HttpURLConnection open(String server, String id, String method)
      throws IOException {
    URI uri = URI.create("http://" + server + "/v0/entity?id=" + id);
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    connection.setRequestMethod(method);
    if (method.equals("PUT")) {
      connection.setDoOutput(true);
      connection.getOutputStream().write(VALUE);
    }
    return connection;
  }
}
