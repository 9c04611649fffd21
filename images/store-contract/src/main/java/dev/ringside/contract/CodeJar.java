package dev.ringside.contract;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The jar that a class was loaded from. Unit tests load classes from folders. */
final class CodeJar {
  /** Used instead of the checksum of a folder. */
  static final String UNKNOWN = "unknown";

  private final File file;

  private CodeJar(File file) {
    this.file = file;
  }

  static CodeJar of(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    URL location = source == null ? null : source.getLocation();
    try {
      File file = location == null ? null : new File(location.toURI());
      return new CodeJar(file != null && file.isFile() ? file : null);
    } catch (URISyntaxException | IllegalArgumentException e) {
      return new CodeJar(null);
    }
  }

  /**
   * Returns the jar's SHA-256 in hex. Reads the whole file at each call.
   *
   * @throws UncheckedIOException if it cannot be read
   */
  String sha256() {
    if (file == null) {
      return UNKNOWN;
    }
    try (InputStream in = Files.newInputStream(file.toPath())) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
      }
      StringBuilder hex = new StringBuilder();
      for (byte b : digest.digest()) {
        hex.append(String.format("%02x", b));
      }
      return hex.toString();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot compute the sha256 of " + file, e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Returns the version in the jar's name; null if the jar is not that of the library. */
  String versionOf(String library) {
    Matcher name =
        Pattern.compile(Pattern.quote(library) + "-(\\d.*)\\.jar")
            .matcher(file == null ? "" : file.getName());
    return name.matches() ? name.group(1) : null;
  }
}
