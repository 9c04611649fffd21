package dev.ringside.stub;

import dev.ringside.contract.ServerProof;
import dev.ringside.server.ServerSpec;
import dev.ringside.server.ServerType;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.thrift.TException;
import org.apache.thrift.server.TServer;

/** One server of the process, on its own thread. */
final class StubServer {
  private final ServerSpec spec;
  private final TServer server;
  private final Thread thread;
  private volatile boolean answered;

  /** Creates the object for a server that is bound; it serves after {@link #start()}. */
  StubServer(ServerSpec spec, TServer server) {
    this.spec = spec;
    this.server = server;
    thread = new Thread(server::serve, "serve-" + spec.name());
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  ServerSpec spec() {
    return spec;
  }

  /** Returns the line of its proof. */
  String proof(ServerProof proof, Settings settings) {
    Map<String, Object> own = new LinkedHashMap<>();
    own.put("handler", settings.handler());
    own.put("survives_kill", false); // all records are in memory
    own.put("workers", settings.options().workers());
    own.put("selectors", settings.options().selectors());
    return proof.line(spec.name(), server.getClass(), settings.address(), spec.port(), own);
  }

  boolean alive() {
    return thread.isAlive();
  }

  /**
   * Reports whether the server answers a ping. A server of one connection at a time is not asked
   * again after its first answer, because the ping would wait until the load's connection ends.
   */
  boolean answers(String address, int timeoutMillis) {
    if (answered && spec.type() == ServerType.SIMPLE) {
      return alive();
    }
    try (KeyValueClient client = new KeyValueClient(address, spec.port(), timeoutMillis)) {
      client.ping();
      answered = true;
      return true;
    } catch (TException e) {
      return false;
    }
  }

  /** Stops the server; connections that it leaves open end with the process. */
  void stop() {
    server.stop();
  }
}
