package dev.ringside.thrift;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * Is a client's Unix domain socket with the parts of TCP's interface that tests need. Its reads
 * have no timeout.
 */
final class UnixClientSocket extends Socket {
  private final SocketChannel channel;

  UnixClientSocket(Path path) throws IOException {
    UnixDomain sockets = UnixDomain.sockets();
    channel = sockets.openClient();
    try {
      channel.connect(sockets.address(path));
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public boolean isConnected() {
    return true;
  }

  @Override
  public void setTcpNoDelay(boolean on) {
    // exists in TCP only
  }

  @Override
  public void setSoTimeout(int millis) {
    // a channel has no timeout
  }

  @Override
  public InputStream getInputStream() {
    InputStream in = Channels.newInputStream(channel);
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
      }

      @Override
      public int read(byte[] bytes, int at, int length) throws IOException {
        try {
          return in.read(bytes, at, length);
        } catch (ClosedChannelException e) {
          throw e;
        } catch (IOException e) {
          // The exception that a socket's stream throws for a connection that was reset.
          throw (SocketException) new SocketException(e.getMessage()).initCause(e);
        }
      }
    };
  }

  @Override
  public OutputStream getOutputStream() {
    return Channels.newOutputStream(channel);
  }

  @Override
  public void shutdownOutput() throws IOException {
    channel.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
