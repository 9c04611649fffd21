package dev.ringside.gps;

import dev.ringside.load.LoadFixture;
import java.nio.file.Path;

/** The settings of the loads of these tests. */
final class LoadRun {
  private LoadRun() {}

  /** Returns a load that sends points in packets of 50. */
  static LoadFixture in(Path folder) {
    return new LoadFixture(folder, GpsLoad::run)
        .with("RINGSIDE_OPERATION", "point", "RINGSIDE_KEYS", "1", "RINGSIDE_THREADS", "3")
        .with("RINGSIDE_PARAM_TRIPS", "10", "RINGSIDE_PARAM_MULTIPLIER", "20")
        .with("RINGSIDE_PARAM_PACKET_SIZE", "50", "RINGSIDE_PARAM_TIMEOUT_MS", "20000");
  }
}
