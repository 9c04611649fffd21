package dev.ringside.stub;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The line that proves which server runs: its class, and the jar that all classes came from. */
final class Proof {
  private Proof() {}

  /** {@code ringside-proof } and a JSON object. */
  static String line(StubServer server, Settings settings) {
    return String.format(
        "ringside-proof {\"server\":\"%s\",\"class\":\"%s\",\"address\":\"%s\",\"port\":%d,"
            + "\"plugin_sha256\":\"%s\",\"environment\":{\"jvm\":\"%s\",\"jvm_flags\":\"%s\","
            + "\"heap_max_bytes\":\"%d\",\"handler\":\"%s\",\"workers\":\"%d\",\"selectors\":\"%d\"}}",
        server.spec().type(),
        server.serverClass(),
        settings.address(),
        server.spec().port(),
        sha256OfJar(),
        escaped(System.getProperty("java.vm.name") + " " + System.getProperty("java.version")),
        escaped(String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments())),
        Runtime.getRuntime().maxMemory(),
        escaped(settings.handler()),
        settings.options().workers(),
        settings.options().selectors());
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"");
  }

  /** Empty if the classes lie in a folder, as in unit tests. */
  private static String sha256OfJar() {
    CodeSource source = Proof.class.getProtectionDomain().getCodeSource();
    URL location = source == null ? null : source.getLocation();
    try {
      File file = location == null ? null : new File(location.toURI());
      if (file == null || !file.isFile()) {
        return "";
      }
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[1 << 16];
      try (InputStream in = Files.newInputStream(file.toPath())) {
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          digest.update(buffer, 0, n);
        }
      }
      StringBuilder hex = new StringBuilder();
      for (byte b : digest.digest()) {
        hex.append(String.format("%02x", b));
      }
      return hex.toString();
    } catch (IOException | NoSuchAlgorithmException | URISyntaxException e) {
      throw new IllegalStateException("cannot compute the sha256 of " + location, e);
    }
  }
}
