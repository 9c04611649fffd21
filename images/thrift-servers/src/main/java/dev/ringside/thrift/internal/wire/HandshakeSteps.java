package dev.ringside.thrift.internal.wire;

/** Runs the steps of TLS handshakes that Java delegates, which may block. */
public interface HandshakeSteps {
  /** Reports whether a worker should run the next such step. */
  boolean handOff();

  /**
   * Runs steps.
   *
   * @param leads whether the current thread leads a loop
   * @return whether it does so afterwards
   */
  boolean runSteps(ThreadBuffers io, boolean leads, Runnable steps);
}
