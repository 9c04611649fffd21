package dev.ringside.ycsb;

import dev.ringside.load.LoadProcess;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs {@code /load} in the foreground, with orders from the environment. */
public final class LoadMain {
  private LoadMain() {}

  /** Exits with status 0 for success, 64 for invalid orders, 1 if the load failed. */
  public static void main(String[] args) {
    AtomicBoolean ended = new AtomicBoolean();
    // YCSB's threads end the process with status 0 after some errors.
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  if (!ended.get()) {
                    System.err.println("/load: ended before the load was done");
                    Runtime.getRuntime().halt(LoadProcess.FAILED);
                  }
                }));
    int status = LoadProcess.run(LoadMain::load, System.err);
    ended.set(true);
    System.exit(status);
  }

  private static void load() throws Exception {
    Load load = new Load(Orders.of(System::getenv));
    load.run();
    System.out.println(load.tally());
  }
}
