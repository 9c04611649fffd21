package dev.ringside.store;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The jar that a class was loaded from. */
final class CodeJar {
  /** What stands for the sum of a folder: unit tests load from folders. */
  static final String UNKNOWN = "unknown";

  private CodeJar() {}

  /**
   * Its SHA-256 in hex. Reads the whole file.
   *
   * @throws UncheckedIOException if it cannot be read
   */
  static String sha256Of(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    try {
      File file = source == null ? null : new File(source.getLocation().toURI());
      return file != null && file.isFile() ? sha256(file) : UNKNOWN;
    } catch (URISyntaxException | IllegalArgumentException e) {
      return UNKNOWN;
    }
  }

  private static String sha256(File file) {
    try (InputStream in = Files.newInputStream(file.toPath())) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot compute the sha256 of " + file, e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
