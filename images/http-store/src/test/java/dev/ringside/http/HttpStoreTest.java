package dev.ringside.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.http.handoff.HandOffs;
import dev.ringside.http.handoff.VirtualHandOff;
import dev.ringside.store.SettingsException;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests every server of the store over its port. */
class HttpStoreTest {
  private static final int LARGEST = 1 << 16;
  @TempDir Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private final Map<String, Integer> ports = new HashMap<>();
  private final Set<Integer> given = new HashSet<>();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private HttpStore store;

  @BeforeEach
  void start() throws Exception {
    List<String> servers = new ArrayList<>();
    for (String type : HandOffs.TYPES) {
      if (!type.equals(HandOffs.VIRTUAL) || VirtualHandOff.possible()) {
        ports.put(type, freePort());
        servers.add(type + ":" + ports.get(type));
      }
    }
    environment.put("RINGSIDE_SERVERS", String.join(",", servers));
    environment.put("RINGSIDE_DATA", folder.resolve("data").toString());
    environment.put("RINGSIDE_HEALTH_PORT", Integer.toString(freePort()));
    environment.put("RINGSIDE_METRICS_PORT", Integer.toString(freePort()));
    environment.put("RINGSIDE_COUNTERS_PORT", Integer.toString(freePort()));
    environment.put("RINGSIDE_PROFILE_PORT", Integer.toString(freePort()));
    environment.put("RINGSIDE_WORKERS", "3");
    store = new HttpStore(StoreSettings.of(environment::get), text -> {});
  }

  @AfterEach
  void stop() throws Exception {
    store.close();
  }

  @Test
  void shouldServeTheSameEntitiesBehindEveryHandOff() throws Exception {
    byte[] value = new byte[LARGEST];
    new Random(1).nextBytes(value);
    for (String writer : ports.keySet()) {
      assertEquals(201, send(writer, "PUT", "?id=k%20%C3%A9", value).statusCode(), writer);
      for (String reader : ports.keySet()) {
        HttpResponse<byte[]> got = send(reader, "GET", "?id=k%20%C3%A9", null);
        assertEquals(200, got.statusCode(), reader);
        assertArrayEquals(value, got.body(), reader);
      }
      assertEquals(202, send(writer, "DELETE", "?id=k%20%C3%A9", null).statusCode(), writer);
      assertEquals(404, send(writer, "GET", "?id=k%20%C3%A9", null).statusCode(), writer);
      assertEquals(201, send(writer, "PUT", "?id=empty", new byte[0]).statusCode(), writer);
      assertEquals(0, send(writer, "GET", "?id=empty", null).body().length, writer);
    }
  }

  @Test
  void shouldRefuseWhatMakesNoSense() throws Exception {
    String any = HandOffs.ARRAY_QUEUE;
    assertEquals(400, send(any, "GET", "", null).statusCode());
    assertEquals(400, send(any, "GET", "?id=", null).statusCode());
    assertEquals(400, send(any, "GET", "?id=" + "k".repeat(1025), null).statusCode());
    assertEquals(405, send(any, "POST", "?id=k", new byte[1]).statusCode());
    assertEquals(404, send(any, "GET", "/other?id=k", null).statusCode());
    // The server rejects the request after its header and closes the connection. With a body in
    // flight, the reset could discard the answer.
    HttpRequest tooLarge =
        HttpRequest.newBuilder(request(any, "PUT", "?id=k", new byte[LARGEST + 1]), (n, v) -> true)
            .expectContinue(true)
            .build();
    assertEquals(413, client.send(tooLarge, BodyHandlers.discarding()).statusCode());
  }

  @Test
  void shouldAnswerManyAtOnceEachWithItsOwn() throws Exception {
    for (String type : ports.keySet()) {
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        byte[] value = (type + i).getBytes();
        String id = "?id=" + type + i;
        all.add(
            client
                .sendAsync(request(type, "PUT", id, value), BodyHandlers.discarding())
                .thenCompose(
                    put -> {
                      assertEquals(201, put.statusCode());
                      return client.sendAsync(
                          request(type, "GET", id, null), BodyHandlers.ofByteArray());
                    })
                .thenAccept(got -> assertArrayEquals(value, got.body())));
      }
      all.forEach(CompletableFuture::join);
    }
  }

  @Test
  void shouldTellPrometheusAndTheKubelet() throws Exception {
    send(HandOffs.ARRAY_QUEUE, "PUT", "?id=k", new byte[1]);
    String metrics = text("RINGSIDE_METRICS_PORT", "/metrics");
    assertTrue(
        metrics.contains("\nringside_http_requests_total{server=\"arrayqueue\"} 1.0\n"), metrics);
    assertTrue(metrics.contains("\nringside_http_queue_length{server=\"inline\"} 0.0\n"), metrics);
    assertTrue(metrics.contains("\nringside_rocksdb_level0_tables 0.0\n"), metrics);
    assertFalse(metrics.contains("\nringside_rocksdb_log_written_bytes_total 0.0\n"), metrics);
    assertTrue(metrics.contains("\nprocess_cpu_seconds_total "), metrics);
    assertEquals("ok\n", text("RINGSIDE_HEALTH_PORT", "/live"));
    assertEquals("ok\n", text("RINGSIDE_HEALTH_PORT", "/ready"));
    store.servers().get(0).stop();
    assertEquals(
        store.servers().get(0).hosted() + " does not answer\n",
        text("RINGSIDE_HEALTH_PORT", "/ready"));
  }

  @Test
  void shouldTellTheLoadWhatItsProcessUsedAndWrote() throws Exception {
    Pattern written = Pattern.compile("\nwritten_bytes (\\d+)\n");
    Matcher before = written.matcher(counters());
    assertTrue(before.find());
    send(HandOffs.ARRAY_QUEUE, "PUT", "?id=k", new byte[LARGEST]);
    Matcher after = written.matcher(counters());
    assertTrue(after.find());
    long more = Long.parseLong(after.group(1)) - Long.parseLong(before.group(1));
    assertTrue(more >= LARGEST, () -> more + " bytes");
  }

  @Test
  void shouldTakeRequestsForProfiles() throws Exception {
    // An invalid event, because this process must not load the profiler.
    assertEquals(
        "event is 'none': it is one of cpu, alloc, lock, wall\n",
        text("RINGSIDE_PROFILE_PORT", "/profile?event=none"));
  }

  private String counters() throws IOException {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.setSoTimeout(10_000);
      byte[] question = "counters 7".getBytes();
      int port = Integer.parseInt(environment.get("RINGSIDE_COUNTERS_PORT"));
      InetAddress here = InetAddress.getByName("127.0.0.1");
      socket.send(new DatagramPacket(question, question.length, here, port));
      DatagramPacket answer = new DatagramPacket(new byte[1400], 1400);
      socket.receive(answer);
      return new String(answer.getData(), 0, answer.getLength());
    }
  }

  @Test
  void shouldPassItsOwnCheck() throws Exception {
    for (int port : ports.values()) {
      EntityCheck.writeAndRead("127.0.0.1:" + port);
    }
    int nobody = freePort();
    assertThrows(IOException.class, () -> EntityCheck.writeAndRead("127.0.0.1:" + nobody));
  }

  @Test
  void shouldSayWhichPortsItCouldNotHave() throws Exception {
    environment.put("RINGSIDE_DATA", folder.resolve("other").toString());
    StoreSettings again = StoreSettings.of(environment::get);
    String fault =
        assertThrows(SettingsException.class, () -> new HttpStore(again, text -> {})).getMessage();
    assertTrue(fault.startsWith("cannot listen on 127.0.0.1, servers [arrayqueue:"), fault);
  }

  private String text(String port, String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + environment.get(port) + path);
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
  }

  private HttpResponse<byte[]> send(String type, String method, String query, byte[] body)
      throws IOException, InterruptedException {
    return client.send(request(type, method, query, body), BodyHandlers.ofByteArray());
  }

  private HttpRequest request(String type, String method, String query, byte[] body) {
    URI uri = URI.create("http://127.0.0.1:" + ports.get(type) + "/v0/entity" + query);
    return HttpRequest.newBuilder(uri)
        .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
        .build();
  }

  /** Returns a port that was not returned before; the kernel may offer a free one again. */
  private int freePort() throws IOException {
    int port;
    do {
      try (ServerSocket socket = new ServerSocket(0)) {
        port = socket.getLocalPort();
      }
    } while (!given.add(port));
    return port;
  }
}
