package dev.ringside.thrift;

import java.net.SocketAddress;
import java.nio.file.Path;

/**
 * Identifies one connection to a Unix domain socket by a number, because such clients have no
 * addresses. Equal to itself only.
 */
final class UnixClient extends SocketAddress {
  private static final long serialVersionUID = 1;

  private final String path;
  private final long number;

  UnixClient(Path path, long number) {
    this.path = path.toString();
    this.number = number;
  }

  @Override
  public String toString() {
    return path + "#" + number;
  }
}
