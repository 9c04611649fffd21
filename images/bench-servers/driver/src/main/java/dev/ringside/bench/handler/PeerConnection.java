package dev.ringside.bench.handler;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Is a handler's connection to its peer process. For one thread. */
final class PeerConnection implements Closeable {
  private static final int QUESTION = 1;

  private final Socket socket;
  private final OutputStream out;
  private final InputStream in;

  PeerConnection(InetSocketAddress peer) throws IOException {
    socket = new Socket(peer.getAddress(), peer.getPort());
    socket.setTcpNoDelay(true);
    out = socket.getOutputStream();
    in = socket.getInputStream();
  }

  /** Sends a question and waits for the answer in a blocking read. */
  void ask() throws IOException {
    out.write(QUESTION);
    if (in.read() < 0) {
      throw new IOException("the process that handlers ask closed a connection; see its log");
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
