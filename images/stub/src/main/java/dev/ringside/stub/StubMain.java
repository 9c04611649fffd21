package dev.ringside.stub;

import dev.ringside.contract.ServerProof;
import dev.ringside.contract.StoreProcess;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.thrift.TException;

/**
 * The stub as a process. Without arguments it serves until it is stopped; {@code check
 * host:port...} writes and reads one record on each server.
 */
public final class StubMain {
  private static final int TIMEOUT_MILLIS = 10_000;

  private StubMain() {}

  /** Exits with status 0 when done, 1 if a check failed, 64 if a setting is invalid. */
  public static void main(String[] args) {
    System.exit(
        StoreProcess.run("ringside-stub", args, StubMain::serve, StubMain::check, System.err));
  }

  private static void serve() throws InterruptedException {
    Settings settings = Settings.of(System::getenv);
    Stub stub = new Stub(settings);
    Runtime.getRuntime().addShutdownHook(new Thread(stub::close, "stop"));
    ServerProof proof =
        ServerProof.ofJarOf(StubMain.class).withVersionOf(TException.class, "libthrift");
    for (StubServer server : stub.servers()) {
      System.out.println(server.proof(proof, settings));
    }
    // If a server dies, the failing probe makes the kubelet end the process; otherwise a signal
    // ends it.
    Thread.currentThread().join();
  }

  private static void check(String server) throws TException {
    int colon = server.lastIndexOf(':');
    if (colon < 1 || !server.substring(colon + 1).matches("[0-9]{1,5}")) {
      throw new IllegalArgumentException("no server in '" + server + "': write host:port");
    }
    byte[] key = ("check-" + server).getBytes(StandardCharsets.UTF_8);
    try (KeyValueClient client =
        new KeyValueClient(
            server.substring(0, colon),
            Integer.parseInt(server.substring(colon + 1)),
            TIMEOUT_MILLIS)) {
      if (client.put(key, key) != Status.OK || !Arrays.equals(client.get(key), key)) {
        throw new TException("what was written to " + server + " cannot be read");
      }
      client.remove(key);
    }
  }
}
