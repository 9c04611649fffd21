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

  /** A server that is bound; it serves from {@link #start()} on. */
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

  /** The line that proves it. */
  String proof(ServerProof proof, Settings settings) {
    Map<String, Object> own = new LinkedHashMap<>();
    own.put("handler", settings.handler());
    own.put("workers", settings.options().workers());
    own.put("selectors", settings.options().selectors());
    return proof.line(spec.name(), server.getClass(), settings.address(), spec.port(), own);
  }

  boolean alive() {
    return thread.isAlive();
  }

  /**
   * Whether it answers a ping. A server of one connection at a time is asked until it has answered
   * once: afterwards a question would wait behind the load.
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

  /** Ends it; connections that it leaves open end with the process. */
  void stop() {
    server.stop();
  }
}
