package dev.ringside.http;

import dev.ringside.contract.ServerProof;
import dev.ringside.contract.StoreProcess;
import java.io.IOException;
import java.util.Map;

/**
 * Runs the store as a process. Without arguments it serves until it gets a signal; {@code check
 * host:port...} writes, reads and removes one value on each server.
 */
public final class HttpStoreMain {
  private static final String PROGRAM = "ringside-http-store";

  private HttpStoreMain() {}

  /** Exits with status 0 for success, 1 for failure, 64 for an invalid setting. */
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
            .with("memtable_mib", settings.storage().memtableMiB())
            .with("block_cache_mib", settings.storage().blockCacheMiB())
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
    // Serve until a failed probe or a signal ends the process.
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
