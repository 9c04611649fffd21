package dev.ringside.contract;

/**
 * Bounds how long a client may take over a request to a JDK's HttpServer. Its threads read
 * requests, and are few: without a bound as many clients that begin one and do not end it stop it.
 */
public final class HttpPatience {
  /** Of the JDK, which reads it before it makes its first server. */
  private static final String SECONDS = "sun.net.httpserver.maxReqTime";

  private HttpPatience() {}

  /** For all servers of the process, unless its command line says otherwise. */
  public static void bound() {
    if (System.getProperty(SECONDS) == null) {
      System.setProperty(SECONDS, "3");
    }
  }
}
