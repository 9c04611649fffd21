package dev.ringside.thrift;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;

/** Holds a key and its self-signed certificate, which the JDK's keytool makes for the tests. */
final class TlsKeys {
  private static final char[] PASSWORD = "for tests only".toCharArray();

  private final KeyStore keys;
  private final SSLContext presenting;
  private final SSLContext trusting;

  /** Makes one of its own per JVM, because that takes a second. */
  private static final class Own {
    private static final TlsKeys KEYS = make("localhost");
  }

  private TlsKeys(KeyStore keys) throws GeneralSecurityException {
    this.keys = keys;
    this.presenting = newPresenting();
    this.trusting = context(null, trustManagers());
  }

  /** Returns those of all tests that need no others. */
  static TlsKeys own() {
    return Own.KEYS;
  }

  static TlsKeys make(String name) {
    try {
      Path folder = Files.createTempDirectory("keys");
      Path store = folder.resolve("keys.p12");
      try {
        return new TlsKeys(make(name, store));
      } finally {
        Files.deleteIfExists(store);
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException | InterruptedException e) {
      throw new IllegalStateException("no keys", e);
    }
  }

  private static KeyStore make(String name, Path store)
      throws IOException, GeneralSecurityException, InterruptedException {
    String password = new String(PASSWORD);
    int exit =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/keytool",
                "-genkeypair",
                "-keystore",
                store.toString(),
                "-storepass",
                password,
                "-storetype",
                "PKCS12",
                "-alias",
                "test",
                "-keypass",
                password,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name)
            .redirectInput(new File("/dev/null"))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start()
            .waitFor();
    if (exit != 0) {
      throw new IllegalStateException("keytool ended with " + exit);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    return keys;
  }

  /** Returns a context that presents the key and trusts this certificate only. */
  SSLContext presenting() {
    return presenting;
  }

  /** Returns a context that trusts this certificate only and presents nothing. */
  SSLContext trusting() {
    return trusting;
  }

  /** Returns a context that presents the key and has no session to resume. */
  SSLContext newPresenting() throws GeneralSecurityException {
    return context(keyManagers(), trustManagers());
  }

  /** Returns a context that presents the key and trusts those that a manager accepts. */
  SSLContext presenting(TrustManager trust) throws GeneralSecurityException {
    return context(keyManagers(), new TrustManager[] {trust});
  }

  /** Returns a context that presents the key as a manager decides. */
  SSLContext presenting(KeyManager keyManager) throws GeneralSecurityException {
    return context(new KeyManager[] {keyManager}, trustManagers());
  }

  /** Returns what has the key. */
  X509ExtendedKeyManager keyManager() {
    try {
      return (X509ExtendedKeyManager) keyManagers()[0];
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no keys", e);
    }
  }

  private KeyManager[] keyManagers() throws GeneralSecurityException {
    KeyManagerFactory held = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    held.init(keys, PASSWORD);
    return held.getKeyManagers();
  }

  private TrustManager[] trustManagers() throws GeneralSecurityException {
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(keys);
    return trusted.getTrustManagers();
  }

  private static SSLContext context(KeyManager[] keys, TrustManager[] trusted)
      throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys, trusted, null);
    return context;
  }
}
