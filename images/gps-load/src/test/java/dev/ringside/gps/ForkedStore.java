package dev.ringside.gps;

import dev.ringside.trip.store.TripStoreMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Runs a store in its own process, which can be killed. */
final class ForkedStore {
  static final String HOST = "127.0.0.1";

  private ForkedStore() {}

  /**
   * Starts a store with a single server.
   *
   * @param folder of its data, the same after a restart
   * @param settings additional environment variables
   */
  static Process start(Path folder, String server, int port, Map<String, String> settings)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            TripStoreMain.class.getName());
    Map<String, String> environment = builder.environment();
    environment.put("RINGSIDE_SERVERS", server + ":" + port);
    environment.put("RINGSIDE_DATA", folder.resolve("data").toString());
    environment.put("RINGSIDE_HEALTH_PORT", Integer.toString(FreePorts.next()));
    environment.put("RINGSIDE_METRICS_PORT", "0");
    environment.put("RINGSIDE_COUNTERS_PORT", "0");
    environment.put("RINGSIDE_MAP_MIB", "256");
    environment.putAll(settings);
    return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Waits until the store serves. Returns false if it ended before. */
  static boolean serves(Process store) throws IOException {
    BufferedReader out = store.inputReader();
    String line = out.readLine();
    while (line != null && !line.startsWith("ringside-proof ")) {
      line = out.readLine();
    }
    return line != null;
  }
}
