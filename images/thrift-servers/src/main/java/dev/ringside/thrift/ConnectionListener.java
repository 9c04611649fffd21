package dev.ringside.thrift;

import java.net.SocketAddress;
import javax.net.ssl.SSLSession;

/**
 * Receives the events of each connection's life.
 *
 * <p>Order: for each connection one {@link #opened}, one {@link #secured} if it uses TLS and sends
 * a request, any number of {@link #beforeRequest}, each followed by its {@link #afterRequest}, and
 * one {@link #closed}.
 *
 * <p>Addresses: two connections between the same addresses never overlap. A client's port may be in
 * use again before the server has run {@link #closed} of the connection that the client has reset;
 * the new connection begins after that.
 *
 * <p>Threads: methods run on the thread on which the event happens. Those of one connection never
 * run at the same time; those of different connections do.
 *
 * <p>Errors: an exception of {@link #opened} or {@link #secured} closes the connection. An
 * exception of {@link #beforeRequest} counts as the handler's failure: the request is not run, and
 * the client receives an error. One of {@link #afterRequest} or {@link #closed} is logged.
 */
public interface ConnectionListener {
  /** Lists the ways in which a request ends. */
  enum Outcome {
    /** It was run, and answered with a result or a declared exception, or needs no answer. */
    ANSWERED,
    /** The handler threw what it does not declare. The client receives an error, if possible. */
    FAILED,
    /** It could not be decoded, or not be answered. The connection is closed. */
    UNREADABLE
  }

  /** A listener that does nothing. */
  ConnectionListener NONE = new ConnectionListener() {};

  /** Reports that the connection was accepted. */
  default void opened(SocketAddress client) {}

  /**
   * Reports that the first request of a connection with TLS is about to run on the current thread.
   * {@link SSLSession#getPeerCertificates} identifies the client, if it had to present a
   * certificate. An exception rejects the client: none of its requests runs.
   */
  default void secured(SocketAddress client, SSLSession session) {}

  /**
   * Reports that a request of the client is about to run on the current thread.
   *
   * @param method its name, with the service if that is multiplexed; empty for protocols other than
   *     binary, compact and JSON
   */
  default void beforeRequest(SocketAddress client, String method) {}

  /**
   * Reports that a request has ended on the current thread. Its reply is not sent yet.
   *
   * @param method as for {@link #beforeRequest}
   * @param nanos how long it took, with decoding and encoding
   */
  default void afterRequest(SocketAddress client, String method, Outcome outcome, long nanos) {}

  /** Reports that the connection has ended, for any reason. None of its requests runs any more. */
  default void closed(SocketAddress client) {}
}
