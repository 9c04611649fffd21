package dev.ringside.trip.store;

import dev.ringside.contract.ServerProof;
import dev.ringside.contract.StoreProcess;
import java.io.IOException;
import java.util.Map;

/**
 * Runs the store as a process. Without arguments it serves until it gets a signal; {@code check
 * host:port...} sends a trip to each server and verifies the answer.
 */
public final class TripStoreMain {
  private static final String PROGRAM = "ringside-trip-cache";

  private TripStoreMain() {}

  /** Exits with status 0 for success, 1 for failure, 64 for an invalid setting. */
  public static void main(String[] args) {
    System.exit(
        StoreProcess.run(
            PROGRAM, args, TripStoreMain::serve, StreamCheck::writeAndRead, System.err));
  }

  private static void serve() throws IOException, InterruptedException {
    TripStore store = TripStore.of(System::getenv, System.out::println);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(store), "stop"));
    ServerProof proof = ServerProof.ofJarOf(TripStoreMain.class);
    for (TripServer server : store.servers()) {
      Map<String, Object> own = server.options().described(server.hosted().type());
      own.putAll(server.cache().described());
      own.put("survives_kill", server.cache().survivesKill());
      own.put("executor", server.lanes().pool().getClass().getName());
      if (server.feed() != null) {
        own.put("topic", server.feed().topic());
      }
      System.out.println(
          proof.line(
              server.hosted().name(),
              server.cache().essence(),
              store.address(),
              server.hosted().port(),
              own));
    }
    // Serve until a failed probe or a signal ends the process.
    Thread.currentThread().join();
  }

  private static void close(TripStore store) {
    try {
      store.close();
    } catch (IOException e) {
      System.err.println(PROGRAM + ": " + e);
    }
  }
}
