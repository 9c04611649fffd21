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
 * Lets a {@link TDisruptorServer} listen on a Unix domain socket, for clients on the same machine
 * that see its file: {@code new TDisruptorServer.Args(new UnixServerSocket(path))}. Needs Java 16
 * or later, and a file system with POSIX permissions.
 *
 * <p>The file is created when the server begins to serve, and removed when it stops or drains. A
 * file that a dead server left is replaced. A file on which a server listens, or that is no socket,
 * is left alone, and the server does not start. There is no TCP_NODELAY and no keep-alive, and TLS
 * is rejected; everything else is as with TCP.
 */
public final class UnixServerSocket extends NonblockingListener {
  private static final Logger LOG = LoggerFactory.getLogger(TDisruptorServer.class);

  /** Default permissions: only the user that the server runs as may connect. */
  private static final String OWNER_ONLY = "rw-------";

  /** How many clients may wait to be accepted; the kernel's own limit is often lower. */
  private static final int BACKLOG = 4096;

  private final Path path;
  private final UnixDomain sockets;
  private final SocketFile file;
  private Set<PosixFilePermission> permissions = PosixFilePermissions.fromString(OWNER_ONLY);
  private volatile ServerSocketChannel channel;
  private boolean closed;
  private long accepted;

  /**
   * Creates a socket at a path. The system limits the path to some 100 bytes.
   *
   * @throws IllegalArgumentException if the path is null or empty
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
   * Sets who may connect, in the form that {@code ls} prints. Connecting needs the right to write.
   * Default {@code rw-------}: the server's own user, and root.
   *
   * @throws IllegalArgumentException if the text does not have that form
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
   * Disconnects clients that connected before the file had its permissions, and possibly some that
   * connected right after.
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

  /** Removes the file and stops listening. May be called from any thread, any number of times. */
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

  /** Returns the name that messages use. */
  @Override
  public String toString() {
    return "the Unix domain socket " + path;
  }
}
