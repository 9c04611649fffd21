package dev.ringside.thrift;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.apache.thrift.transport.TNonblockingTransport;
import org.apache.thrift.transport.TTransportException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a {@link TDisruptorServer} listen on a Unix domain socket, for clients on the same machine
 * that see its file: {@code new TDisruptorServer.Args(new UnixServerSocket(path))}. Needs Java 16
 * or later, and a file system with POSIX permissions.
 *
 * <p>The file is made when the server begins to serve, and removed when it stops or drains. One
 * that a dead server has left is replaced; a server that listens there is left alone, and so is a
 * file that is no socket. All else is as with TCP, except for what only TCP has: TCP_NODELAY,
 * keep-alive, and TLS, with which a server refuses this.
 */
public final class UnixServerSocket extends NonblockingListener {
  private static final Logger LOG = LoggerFactory.getLogger(TDisruptorServer.class);

  /** Who may connect if nobody says: the user that the server runs as. */
  private static final String OWNER_ONLY = "rw-------";

  /** Clients that wait to be accepted; the kernel's own limit is often lower. */
  private static final int BACKLOG = 4096;

  private final Path path;
  private final UnixDomain sockets;
  private final SocketFile file;
  private Set<PosixFilePermission> permissions = PosixFilePermissions.fromString(OWNER_ONLY);
  private volatile ServerSocketChannel channel;
  private boolean closed;
  private long accepted;

  /**
   * For a socket at that path, of some 100 bytes at most, which the system prescribes.
   *
   * @throws UnsupportedOperationException if this Java has no Unix domain sockets
   */
  public UnixServerSocket(Path path) {
    if (path == null || path.toString().isEmpty()) {
      throw new IllegalArgumentException(
          "a Unix domain socket needs a path, such as /run/app/thrift.sock");
    }
    this.path = path;
    this.sockets = UnixDomain.sockets();
    this.file = new SocketFile(path, sockets);
  }

  /**
   * Who may connect, as {@code ls} shows it: to connect, one needs the right to write. Default
   * {@code rw-------}: the server's own user, and root.
   *
   * @throws IllegalArgumentException if it is not of that form
   */
  public UnixServerSocket permissions(String value) {
    try {
      permissions = PosixFilePermissions.fromString(value);
    } catch (IllegalArgumentException | NullPointerException e) {
      throw new IllegalArgumentException(
          "permissions of " + this + " are '" + value + "': give such as rw-rw----", e);
    }
    return this;
  }

  @Override
  public synchronized void listen() throws TTransportException {
    if (closed || channel != null) {
      throw new TTransportException(
          this + " has been listened on before: give each server its own");
    }
    try {
      file.clear();
      channel = sockets.openServer();
      channel.configureBlocking(false);
      bind();
      if (file.protect(permissions)) {
        cutOffConnected(channel);
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw new TTransportException("cannot listen on " + this + ": " + e.getMessage(), e);
    }
  }

  private void bind() throws IOException {
    try {
      channel.bind(sockets.address(path), BACKLOG);
    } catch (IOException e) {
      throw new IOException(
          e.getMessage()
              + ": give a path of some 100 bytes at most, in a folder that is there and that this"
              + " user may write",
          e);
    }
  }

  /**
   * Closes who has connected before the file had its permissions, and perhaps some who came right
   * after.
   */
  static void cutOffConnected(ServerSocketChannel channel) throws IOException {
    for (int i = 0; i <= BACKLOG; i++) {
      SocketChannel early = channel.accept();
      if (early == null) {
        return;
      }
      early.close();
    }
  }

  @Override
  TNonblockingTransport acceptNext() throws TTransportException {
    try {
      SocketChannel next = channel.accept();
      if (next == null) {
        return null;
      }
      next.configureBlocking(false);
      return new UnixTransport(next, new UnixClient(path, ++accepted));
    } catch (IOException e) {
      throw new TTransportException(e);
    }
  }

  @Override
  public void registerSelector(Selector selector) {
    try {
      channel.register(selector, SelectionKey.OP_ACCEPT);
    } catch (ClosedChannelException e) {
      throw new IllegalStateException(this + " is closed", e);
    }
  }

  /** Removes the file and listens no more. From any thread, as often as wanted. */
  @Override
  public synchronized void close() {
    closed = true;
    if (channel == null) {
      return;
    }
    try {
      file.remove();
    } catch (IOException e) {
      LOG.warn(
          "the file of {} stays behind, for the next server to replace: {}", this, e.toString());
    }
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("closing {} failed", this, e);
    }
  }

  @Override
  public void interrupt() {
    close();
  }

  /** Names it in messages. */
  @Override
  public String toString() {
    return "the Unix domain socket " + path;
  }
}
