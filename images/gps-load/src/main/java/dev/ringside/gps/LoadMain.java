package dev.ringside.gps;

import dev.ringside.load.LoadProcess;

/** {@code /load}: takes its orders from the environment and runs in the foreground. */
public final class LoadMain {
  private LoadMain() {}

  /** Exit status: 0 done, 64 the orders make no sense, 1 the load failed. */
  public static void main(String[] args) {
    System.exit(
        LoadProcess.run(() -> GpsLoad.run(System::getenv, System.out, System.err), System.err));
  }
}
