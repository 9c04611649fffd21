package dev.ringside.contract;

/**
 * Limits the time that a client may take to send a request to the JDK's HttpServer. A few threads
 * of the server read all requests. Without a limit, a few clients that never finish a request block
 * it.
 */
public final class HttpPatience {
  /**
   * The system property of the JDK, in seconds. The JDK reads it when it creates the first server.
   */
  private static final String SECONDS = "sun.net.httpserver.maxReqTime";

  private HttpPatience() {}

  /**
   * Sets the limit for all servers of the process, unless its command line sets one. Call it before
   * the first server is created.
   */
  public static void bound() {
    if (System.getProperty(SECONDS) == null) {
      System.setProperty(SECONDS, "3");
    }
  }
}
