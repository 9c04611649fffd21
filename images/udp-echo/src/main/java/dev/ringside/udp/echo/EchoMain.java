package dev.ringside.udp.echo;

import dev.ringside.contract.StoreProcess;
import dev.ringside.store.SettingsException;
import java.net.InetSocketAddress;

/**
 * Runs the store as a process. Without arguments it serves until it gets a signal; {@code check
 * host:port...} verifies that each server answers.
 */
public final class EchoMain {
  private static final String NAME = "ringside-udp-echo";
  private static final int CHECK_MILLIS = 2_000;

  private EchoMain() {}

  /** Exits with status 0 for success, 1 if a server does not answer, 64 for an invalid setting. */
  public static void main(String[] args) {
    System.exit(
        StoreProcess.run(
            NAME,
            args,
            EchoMain::serve,
            server -> Echo.check(address(server), CHECK_MILLIS),
            System.err));
  }

  private static void serve() throws Exception {
    EchoStore store = new EchoStore(EchoSettings.of(System::getenv));
    Runtime.getRuntime().addShutdownHook(new Thread(store::close, "stop"));
    store.proofs(EchoMain.class).forEach(System.out::println);
    // Serve until a failed probe or a signal ends the process.
    Thread.currentThread().join();
  }

  private static InetSocketAddress address(String server) {
    int colon = server.lastIndexOf(':');
    if (colon < 1 || !server.substring(colon + 1).matches("[0-9]{1,5}")) {
      throw new SettingsException("no server in '" + server + "': write host:port");
    }
    return new InetSocketAddress(
        server.substring(0, colon), Integer.parseInt(server.substring(colon + 1)));
  }
}
