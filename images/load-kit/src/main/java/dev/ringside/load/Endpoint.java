package dev.ringside.load;

/** The host and port at which a server listens. */
public final class Endpoint {
  private final String host;
  private final int port;

  private Endpoint(String host, int port) {
    this.host = host;
    this.port = port;
  }

  /**
   * Parses {@code host:port}.
   *
   * @throws IllegalArgumentException with a message of one line if the text is not an endpoint
   */
  public static Endpoint of(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1 || !text.substring(colon + 1).matches("[0-9]{1,5}")) {
      throw new IllegalArgumentException("'" + text + "': write host:port,host:port");
    }
    return new Endpoint(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }

  /** Returns the name or the address. */
  public String host() {
    return host;
  }

  /** Returns the port. */
  public int port() {
    return port;
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
