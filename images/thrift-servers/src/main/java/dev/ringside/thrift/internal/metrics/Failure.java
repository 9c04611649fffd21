package dev.ringside.thrift.internal.metrics;

/**
 * Lists the failures that a server reports. They exist from the start: where the text of one is
 * first used for lack of memory, there is none for the text.
 */
public enum Failure {
  ACCEPT("a connection was not accepted"),
  ACCEPTING("the server stops: accepting connections failed"),
  ACCEPTOR("accepting failed, going on"),
  CONNECTION("a connection is closed after a failure"),
  DELETE_CONTEXT("deleteContext failed"),
  LINGER("a worker cannot linger"),
  LISTENER("the connection listener failed"),
  LOOP("an event loop failed, going on"),
  REQUEST("a request failed"),
  SELECTING("the server stops: an event loop cannot select"),
  SET_UP("a connection could not be set up"),
  START("a worker could not be started"),
  WAKE_UP("a thread could not be woken"),
  WATCHDOG("the watchdog failed, going on"),
  WORKER("a worker failed, going on");

  private final String text;

  Failure(String text) {
    this.text = text;
  }

  /** Returns what failed and what follows, as the beginning of a log line. */
  public String text() {
    return text;
  }
}
