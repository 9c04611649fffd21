package dev.ringside.cassandra;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.security.CodeSource;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.thrift.TException;

/**
 * The line that proves which server runs: the class of the running object and the bytes it came
 * from.
 */
final class Proof {
  private static final String UNKNOWN = "unknown";

  private final String pluginSha256;
  private final String libthriftVersion;

  Proof(String pluginSha256, String libthriftVersion) {
    this.pluginSha256 = pluginSha256;
    this.libthriftVersion = libthriftVersion;
  }

  /** Reads the jars that this very code and libthrift were loaded from. */
  static Proof ofRunningCode() {
    File libthrift = jarOf(TException.class);
    return new Proof(
        sha256(jarOf(Proof.class)),
        libthrift == null
            ? UNKNOWN
            : libthrift.getName().replaceAll("^libthrift-(.*)\\.jar$", "$1"));
  }

  /** One line: {@code ringside-proof } and a JSON object. */
  String line(HostedServer hosted, InetSocketAddress address) {
    return String.format(
        "ringside-proof {\"server\":\"%s\",\"class\":\"%s\",\"address\":\"%s\",\"port\":%d,"
            + "\"plugin_sha256\":\"%s\",\"libthrift\":\"%s\"}",
        hosted.spec().type(),
        hosted.server().getClass().getName(),
        address.getAddress().getHostAddress(),
        hosted.spec().port(),
        pluginSha256,
        libthriftVersion);
  }

  private static File jarOf(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    URL location = source == null ? null : source.getLocation();
    try {
      File file = location == null ? null : new File(location.toURI());
      return file != null && file.isFile() ? file : null;
    } catch (URISyntaxException | IllegalArgumentException e) {
      return null;
    }
  }

  private static String sha256(File jar) {
    if (jar == null) {
      // Run from a folder of classes, as unit tests do.
      return UNKNOWN;
    }
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      try (InputStream in = new DigestInputStream(Files.newInputStream(jar.toPath()), digest)) {
        byte[] buffer = new byte[1 << 16];
        while (in.read(buffer) >= 0) {
          // the digest has seen the bytes
        }
      }
      StringBuilder hex = new StringBuilder();
      for (byte b : digest.digest()) {
        hex.append(String.format("%02x", b));
      }
      return hex.toString();
    } catch (IOException | NoSuchAlgorithmException e) {
      throw new IllegalStateException("cannot compute the sha256 of " + jar, e);
    }
  }
}
