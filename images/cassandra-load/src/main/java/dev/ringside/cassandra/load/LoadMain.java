package dev.ringside.cassandra.load;

import dev.ringside.load.LoadProcess;

/** {@code /load}: reads its settings from the environment and runs in the foreground. */
public final class LoadMain {
  private LoadMain() {}

  /** Exits with status 0 when done, 64 if the settings are invalid, 1 if the load failed. */
  public static void main(String[] args) {
    System.exit(
        LoadProcess.run(
            () -> CassandraLoad.run(System::getenv, System.out, System.err), System.err));
  }
}
