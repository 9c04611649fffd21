package dev.ringside.stub;

import dev.ringside.contract.ServerProof;
import dev.ringside.contract.StoreProcess;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.thrift.TException;

/**
 * The stub as a process: without arguments it serves until it is told to end; {@code check
 * host:port...} does one write and one read on each server.
 */
public final class StubMain {
  private static final int TIMEOUT_MILLIS = 10_000;

  private StubMain() {}

  /** Exit status: 0 done, 1 a check failed, 64 a setting makes no sense. */
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
    // The probes end the process if a server dies; the signal that asks it to stop ends it else.
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
