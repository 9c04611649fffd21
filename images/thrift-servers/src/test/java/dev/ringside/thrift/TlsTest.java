package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.metrics.CloseReason;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.ProviderException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
final class TlsTest {
  private static SSLContext withKey;
  private static SSLContext withoutKey;
  private static SSLContext withOtherKey;

  @BeforeAll
  static void makeKeys() {
    withKey = TlsKeys.own().presenting();
    withoutKey = TlsKeys.own().trusting();
    withOtherKey = TlsKeys.make("renewed").presenting();
  }

  /** Trusts every client, and waits before that while it is told to. */
  private static final class PausingTrust extends X509ExtendedTrustManager {
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch release = new CountDownLatch(1);
    volatile boolean pauses;

    private void pause() {
      if (pauses) {
        entered.countDown();
        try {
          release.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
      pause();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
      pause();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {
      pause();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  private static Client connect(RunningServer server, SSLContext context, String protocol)
      throws IOException {
    return Wiring.connect(server.port, context, protocol);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void shouldServeRequestsOfAnySizeAndInSequence(String protocol) throws Exception {
    TestService service =
        new TestService()
            .after("sleep", () -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2)));
    try (RunningServer server = new RunningServer(service, args -> args.tls(withKey));
        Client client = connect(server, withoutKey, protocol)) {
      Random random = new Random(1);
      for (int length : new int[] {0, 1, 100, 16_000, 70_000, 1_500_000}) {
        byte[] payload = Bytes.random(random, length);
        assertArrayEquals(payload, client.call("echo", payload));
        assertArrayEquals(payload, client.call("sleep", payload));
      }
      List<Integer> ids = new ArrayList<>();
      List<byte[]> payloads = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        payloads.add(Bytes.random(random, random.nextInt(3000)));
        ids.add(client.send(i % 10 == 0 ? "sleep" : "echo", payloads.get(i)));
      }
      for (int i = 0; i < 100; i++) {
        assertArrayEquals(
            payloads.get(i), client.receive(i % 10 == 0 ? "sleep" : "echo", ids.get(i)));
      }
    }
  }

  @Test
  void shouldAskForACertificateIfToldTo() throws Exception {
    try (RunningServer server =
        new RunningServer(
            new TestService(), args -> args.tls(withKey).tlsClientAuthentication(true))) {
      try (Client known = connect(server, withKey, "TLSv1.3")) {
        assertEquals("x", Bytes.text(known.call("echo", Bytes.of("x"))));
      }
      try (Client unknown = connect(server, withoutKey, "TLSv1.3")) {
        assertThrows(IOException.class, () -> unknown.call("echo", Bytes.of("x")));
      }
    }
  }

  /** Records calls and the names of clients. Throws for a client without a certificate. */
  private static final class Names implements ConnectionListener {
    final List<String> told = new CopyOnWriteArrayList<>();

    @Override
    public void opened(SocketAddress client) {
      told.add("opened");
    }

    @Override
    public void secured(SocketAddress client, SSLSession session) {
      try {
        X509Certificate own = (X509Certificate) session.getPeerCertificates()[0];
        told.add(own.getSubjectX500Principal().getName());
      } catch (SSLPeerUnverifiedException e) {
        throw new IllegalStateException("nobody that is known", e);
      }
    }

    @Override
    public void beforeRequest(SocketAddress client, String method) {
      told.add("request");
    }

    @Override
    public void closed(SocketAddress client) {
      told.add("closed");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void shouldTellTheListenerOfTheClientsCertificateBeforeItsFirstRequest(String protocol)
      throws Exception {
    Names names = new Names();
    try (RunningServer server =
        new RunningServer(
            new TestService(),
            args -> args.tls(withKey).tlsClientAuthentication(true).connectionListener(names))) {
      try (Client client = connect(server, withKey, protocol)) {
        client.call("echo", Bytes.of("x"));
        client.call("echo", Bytes.of("x"));
      }
      RunningServer.await("it is told of the end", () -> names.told.contains("closed"));
      assertEquals(
          Arrays.asList("opened", "CN=localhost", "request", "request", "closed"), names.told);
    }
  }

  @Test
  void shouldRunNoRequestOfAClientThatTheListenerRefuses() throws Exception {
    Names names = new Names();
    try (RunningServer server =
            new RunningServer(
                new TestService(), args -> args.tls(withKey).connectionListener(names));
        Client unknown = connect(server, withoutKey, "TLSv1.3")) {
      unknown.send(Client.frame("echo", 1, Bytes.of("x")));
      unknown.send(Client.frame("echo", 2, Bytes.of("x")));
      assertTrue(unknown.isClosedByServer());
      RunningServer.await("it is told of the end", () -> names.told.contains("closed"));
      assertEquals(Arrays.asList("opened", "closed"), names.told);
    }
  }

  @Test
  void shouldTellNothingOfTlsWithoutIt() throws Exception {
    Names names = new Names();
    try (RunningServer server =
        new RunningServer(new TestService(), args -> args.connectionListener(names))) {
      try (Client client = server.connect()) {
        client.call("echo", Bytes.of("x"));
      }
      RunningServer.await("it is told of the end", () -> names.told.contains("closed"));
      assertEquals(Arrays.asList("opened", "request", "closed"), names.told);
      assertThrows(IllegalStateException.class, () -> server.server.renewTls(withKey));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void shouldShowNewConnectionsARenewedCertificate(String protocol) throws Exception {
    try (RunningServer server = new RunningServer(new TestService(), args -> args.tls(withKey));
        Client old = connect(server, withoutKey, protocol)) {
      assertEquals("x", Bytes.text(old.call("echo", Bytes.of("x"))));
      server.server.renewTls(withOtherKey);
      assertEquals("y", Bytes.text(old.call("echo", Bytes.of("y"))));
      assertEquals("CN=localhost", nameOfServer(old));
      assertThrows(
          IOException.class,
          () -> connect(server, withoutKey, protocol).call("echo", Bytes.of("x")));
      try (Client renewed = connect(server, withOtherKey, protocol)) {
        assertEquals("z", Bytes.text(renewed.call("echo", Bytes.of("z"))));
        assertEquals("CN=renewed", nameOfServer(renewed));
      }
      assertThrows(IllegalArgumentException.class, () -> server.server.renewTls(null));
    }
  }

  private static String nameOfServer(Client client) throws Exception {
    SSLSession session = ((SSLSocket) client.socket()).getSession();
    return ((X509Certificate) session.getPeerCertificates()[0]).getSubjectX500Principal().getName();
  }

  @Test
  void shouldCutOffAClientWithoutTlsAndServeTheOthers() throws Exception {
    try (RunningServer server = new RunningServer(new TestService(), args -> args.tls(withKey));
        Client good = connect(server, withoutKey, "TLSv1.3");
        Client plain = new Client(new Socket(), server.port, new TBinaryProtocol.Factory())) {
      plain.send(Client.frame("echo", 1, new byte[100]));
      plain.readToTheEnd();
      assertEquals("x", Bytes.text(good.call("echo", Bytes.of("x"))));
    }
  }

  @Test
  void shouldEndTlsProperlyWhenItStops() throws Exception {
    RunningServer server = new RunningServer(new TestService(), args -> args.tls(withKey));
    try (Client client = connect(server, withoutKey, "TLSv1.3")) {
      assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
      server.stop();
      assertTrue(client.isClosedByServer());
    }
  }

  /**
   * A connection that never starts TLS has no running request, so the drain does not wait for it.
   */
  @Test
  void shouldEndTlsProperlyWhenItIsDrained() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    TestService service = new TestService().holding("wait", entered, release);
    try (RunningServer server = new RunningServer(service, args -> args.tls(withKey));
        Client idle = connect(server, withoutKey, "TLSv1.3");
        Client busy = connect(server, withoutKey, "TLSv1.2");
        Client silent = new Client(server.port)) {
      assertEquals("x", Bytes.text(idle.call("echo", Bytes.of("x"))));
      int id = busy.send("wait", Bytes.of("y"));
      entered.await();
      FutureTask<Integer> drain = new FutureTask<>(() -> server.server.drain(1, TimeUnit.HOURS));
      new Thread(drain).start();
      assertTrue(idle.isClosedByServer());
      assertTrue(silent.isClosedByServer());
      release.countDown();
      assertEquals("y", Bytes.text(busy.receive("wait", id)));
      assertTrue(busy.isClosedByServer());
      assertEquals(0, drain.get());
    }
  }

  @Test
  void shouldCloseAHandshakeThatIsNeverFinished() throws Exception {
    try (RunningServer server =
            new RunningServer(
                Wiring.TLS_1_3, new TestService(), args -> args.stallTimeout(1, TimeUnit.SECONDS));
        Client good = server.connectAndCall("echo");
        Client silent = new Client(server.port);
        Client begun = new Client(server.port)) {
      // The header of a handshake record of 512 bytes, and the first of them.
      begun.send(new byte[] {22, 3, 1, 2, 0, 1});
      begun.readToTheEnd();
      silent.readToTheEnd();
      assertEquals(server.metrics().accepted.sum() - 1, server.closed(CloseReason.STALLED));
      assertEquals("x", Bytes.text(good.call("echo", Bytes.of("x"))));
    }
  }

  @Test
  void shouldRefuseToNegotiateAnew() throws Exception {
    try (RunningServer server = new RunningServer(new TestService(), args -> args.tls(withKey))) {
      SSLSocket socket =
          (SSLSocket) withoutKey.getSocketFactory().createSocket("127.0.0.1", server.port);
      socket.setEnabledProtocols(new String[] {"TLSv1.2"});
      try (Client client = new Client(socket, server.port, new TBinaryProtocol.Factory())) {
        assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
        assertThrows(
            IOException.class,
            () -> {
              socket.startHandshake();
              client.readToTheEnd();
              throw new IOException("ended without a second handshake");
            });
        assertEquals(1, server.inline() + server.handedOff());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void shouldServeRecordsThatComeByteByByte(String protocol) throws Exception {
    try (RunningServer server = new RunningServer(new TestService(), args -> args.tls(withKey));
        Trickle trickle = new Trickle(server.port, 1)) {
      try (Client client = Wiring.connect(trickle.port(), withoutKey, protocol)) {
        byte[] payload = Bytes.random(new Random(1), 200);
        for (int i = 0; i < 3; i++) {
          assertArrayEquals(payload, client.call("echo", payload));
        }
      }
      RunningServer.await("nothing is kept", () -> server.server.core().run.requests.held() == 0);
    }
  }

  /** As one may that asks another server whether a certificate is revoked. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void shouldServeOthersWhileATrustManagerWaits(String protocol) throws Exception {
    PausingTrust trust = new PausingTrust();
    SSLContext context = TlsKeys.own().presenting(trust);
    try (RunningServer server =
            new RunningServer(
                new TestService(),
                args -> args.selectors(1).tls(context).tlsClientAuthentication(true));
        Client neighbour = connect(server, withKey, protocol)) {
      assertEquals("x", Bytes.text(neighbour.call("echo", Bytes.of("x"))));
      trust.pauses = true;
      List<FutureTask<String>> waiting = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        FutureTask<String> call = new FutureTask<>(() -> callOnce(server, protocol));
        new Thread(call).start();
        waiting.add(call);
      }
      assertTrue(trust.entered.await(30, TimeUnit.SECONDS));
      for (int i = 0; i < 10; i++) {
        assertEquals("y", Bytes.text(neighbour.call("echo", Bytes.of("y"))));
      }
      trust.release.countDown();
      for (FutureTask<String> call : waiting) {
        assertEquals("z", call.get());
      }
    }
  }

  private static String callOnce(RunningServer server, String protocol) throws Exception {
    // A context of its own has no session to resume, so its certificate is checked.
    try (Client client = connect(server, TlsKeys.own().newPresenting(), protocol)) {
      return Bytes.text(client.call("echo", Bytes.of("z")));
    }
  }

  /** Its record takes less than the timeout, but it was silent for longer before. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void shouldWaitForTheRestOfARecordAfterASilence(String protocol) throws Exception {
    try (RunningServer server =
            new RunningServer(
                new TestService(), args -> args.tls(withKey).stallTimeout(2, TimeUnit.SECONDS));
        Trickle between = new Trickle(server.port, 4096)) {
      try (Client client = Wiring.connect(between.port(), withoutKey, protocol)) {
        assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
        Thread.sleep(2500);
        // In which the server looks for clients to cut off: twice a second.
        between.pauseWithin(600);
        assertEquals("y", Bytes.text(client.call("echo", Bytes.of("y"))));
      }
      assertEquals(0, server.closed(CloseReason.STALLED));
    }
  }

  /** Presents the key later than the client may take, or not at all. */
  private static final class SlowKeys extends X509ExtendedKeyManager {
    private final X509ExtendedKeyManager keys = TlsKeys.own().keyManager();
    private final Runnable before;

    SlowKeys(Runnable before) {
      this.before = before;
    }

    @Override
    public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
      before.run();
      return keys.chooseEngineServerAlias(type, issuers, engine);
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
      return keys.getClientAliases(type, issuers);
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
      return keys.chooseClientAlias(types, issuers, socket);
    }

    @Override
    public String[] getServerAliases(String type, Principal[] issuers) {
      return keys.getServerAliases(type, issuers);
    }

    @Override
    public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
      return keys.chooseServerAlias(type, issuers, socket);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return keys.getCertificateChain(alias);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return keys.getPrivateKey(alias);
    }
  }

  /** The server takes longer than the client may, and the client then pauses for less than that. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void shouldNotBlameAClientForTheServersPartOfAHandshake(String protocol) throws Exception {
    AtomicReference<Trickle> between = new AtomicReference<>();
    SlowKeys keys =
        new SlowKeys(
            () -> {
              Trickle first = between.getAndSet(null);
              if (first != null) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2500));
                first.pauseWithin(1200);
              }
            });
    SSLContext context = TlsKeys.own().presenting(keys);
    try (RunningServer server =
            new RunningServer(
                new TestService(), args -> args.tls(context).stallTimeout(2, TimeUnit.SECONDS));
        Trickle slow = new Trickle(server.port, 4096)) {
      between.set(slow);
      try (Client client = Wiring.connect(slow.port(), withoutKey, protocol)) {
        assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
      }
      assertEquals(0, server.closed(CloseReason.STALLED));
    }
  }

  /** As one of a cryptographic provider on Java 8, if a client sends a bad key share. */
  @Test
  void shouldTakeARuntimeExceptionOfTlsForAConnectionThatEnds() throws Exception {
    SlowKeys keys =
        new SlowKeys(
            () -> {
              throw new ProviderException("on purpose");
            });
    SSLContext context = TlsKeys.own().presenting(keys);
    try (RunningServer server = new RunningServer(new TestService(), args -> args.tls(context));
        Client client = connect(server, withoutKey, "TLSv1.2")) {
      assertThrows(IOException.class, () -> client.call("echo", Bytes.of("x")));
      RunningServer.await("it has ended", () -> server.closed(CloseReason.TLS) == 1);
      assertEquals(0, server.metrics().failures.sum());
    }
  }

  /** A handshake takes a millisecond or more of CPU time, which others would wait for. */
  @Test
  void shouldHandOffHandshakesAfterSome() throws Exception {
    try (RunningServer server =
        new RunningServer(
            new TestService(), args -> args.tls(withKey).tlsClientAuthentication(true))) {
      for (int i = 0; !server.server.core().run.handshakes.handOff(); i++) {
        assertTrue(i < 500, "they stay on the loop");
        try (Client client = connect(server, TlsKeys.own().newPresenting(), "TLSv1.3")) {
          client.call("echo", new byte[1]);
        }
      }
    }
  }

  /** As one of a pool, which may be needed later. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void shouldKeepAClientThatSendsNothingAfterItsHandshake(String protocol) throws Exception {
    long stall = TimeUnit.SECONDS.toNanos(2);
    try (RunningServer server =
            new RunningServer(
                new TestService(),
                args -> args.tls(withKey).stallTimeout(stall, TimeUnit.NANOSECONDS));
        Client client = connect(server, withoutKey, protocol)) {
      ((SSLSocket) client.socket()).startHandshake();
      long began = System.nanoTime();
      RunningServer.await("it is silent for long", () -> System.nanoTime() - began > 2 * stall);
      assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
    }
  }

  @Test
  void shouldAnswerARequestThatIsFollowedByTheEndAtOnce() throws Exception {
    try (RunningServer server = new RunningServer(new TestService(), args -> args.tls(withKey));
        Client client = connect(server, withoutKey, "TLSv1.3")) {
      for (int i = 0; i < 5; i++) {
        assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
      }
      int last = client.send("echo", Bytes.of("last"));
      client.socket().shutdownOutput();
      assertEquals("last", Bytes.text(client.receive("echo", last)));
      assertTrue(client.isClosedByServer());
      RunningServer.await("it is gone", () -> server.server.core().connections() == 0);
    }
  }

  @Test
  void shouldLoseNothingToAClientThatBreaksOff() throws Exception {
    try (RunningServer server = new RunningServer(new TestService(), args -> args.tls(withKey));
        Client good = connect(server, withoutKey, "TLSv1.2")) {
      for (int i = 0; i < 20; i++) {
        try (Trickle between = new Trickle(server.port, 4096)) {
          SSLSocket socket =
              (SSLSocket) withoutKey.getSocketFactory().createSocket("127.0.0.1", between.port());
          Client client = new Client(socket, server.port, new TBinaryProtocol.Factory());
          client.call("echo", Bytes.of("x"));
          // The stream ends without TLS's close_notify.
          between.close();
          client.close();
        }
      }
      RunningServer.await("they are gone", () -> server.server.core().connections() == 1);
      assertEquals("x", Bytes.text(good.call("echo", Bytes.of("x"))));
    }
  }
}
