package dev.ringside.ycsb;

import dev.ringside.load.LoadProcess;
import java.util.concurrent.atomic.AtomicBoolean;

/** {@code /load}: takes its orders from the environment and runs in the foreground. */
public final class LoadMain {
  private LoadMain() {}

  /** Exit status: 0 done, 64 the orders make no sense, 1 the load failed. */
  public static void main(String[] args) {
    AtomicBoolean ended = new AtomicBoolean();
    // YCSB's threads end the process with status 0 when something goes wrong.
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
