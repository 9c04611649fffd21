package dev.ringside.http;

import dev.ringside.contract.ServerProof;
import dev.ringside.contract.StoreProcess;
import java.io.IOException;
import java.util.Map;

/**
 * The store as a process: without arguments it serves until it is told to end; {@code check
 * host:port...} does one write and one read on each server.
 */
public final class HttpStoreMain {
  private static final String PROGRAM = "ringside-http-store";

  private HttpStoreMain() {}

  /** Exit status: 0 done, 1 failed, 64 a setting makes no sense. */
  public static void main(String[] args) {
    System.exit(
        StoreProcess.run(
            PROGRAM, args, HttpStoreMain::serve, EntityCheck::writeAndRead, System.err));
  }

  private static void serve() throws IOException, InterruptedException {
    StoreSettings settings = StoreSettings.of(System::getenv);
    HttpStore store = new HttpStore(settings, System.out::println);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(store), "stop"));
    ServerProof proof =
        ServerProof.ofJarOf(HttpStoreMain.class)
            .with("flush_bytes", settings.storage().flushBytes())
            .with("bloom", settings.storage().bloom())
            .with("compaction", settings.storage().compaction())
            .with("sync", settings.storage().sync().id());
    for (EntityServer server : store.servers()) {
      ServerOptions own = server.options();
      System.out.println(
          proof.line(
              server.hosted().name(),
              server.handOff().essence().getClass(),
              settings.ports().address(),
              server.hosted().port(),
              Map.of(
                  "workers", own.workers(), "queue", own.queue(), "selectors", own.selectors())));
    }
    // The probes end the process where it is of no more use; the signal that asks it to, else.
    Thread.currentThread().join();
  }

  private static void close(HttpStore store) {
    try {
      store.close();
    } catch (IOException e) {
      System.err.println(PROGRAM + ": " + e);
    }
  }
}
