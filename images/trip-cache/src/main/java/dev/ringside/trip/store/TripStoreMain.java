package dev.ringside.trip.store;

import dev.ringside.contract.ServerProof;
import dev.ringside.contract.StoreProcess;
import java.io.IOException;
import java.util.Map;

/**
 * The store as a process: without arguments it serves until it is told to end; {@code check
 * host:port...} sends a trip to each server and holds what comes out against it.
 */
public final class TripStoreMain {
  private static final String PROGRAM = "ringside-trip-cache";

  private TripStoreMain() {}

  /** Exit status: 0 done, 1 failed, 64 a setting makes no sense. */
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
    // The probes end the process where it is of no more use; the signal that asks it to, else.
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
