package dev.ringside.cql.load;

import dev.ringside.load.LoadProcess;

/** Runs {@code /load} in the foreground, with orders from the environment. */
public final class LoadMain {
  private LoadMain() {}

  /** Exits with status 0 for success, 64 for invalid orders, 1 if the load failed. */
  public static void main(String[] args) {
    System.exit(
        LoadProcess.run(() -> CqlLoad.run(System::getenv, System.out, System.err), System.err));
  }
}
