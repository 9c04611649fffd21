package dev.ringside.thrift;

import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.apache.thrift.transport.TTransportException;

/** Its acceptor is not told of connections, which so stay in the kernel's queue. */
final class DeafServerSocket extends TNonblockingServerSocket {
  private volatile Selector selector;

  DeafServerSocket(int port) throws TTransportException {
    super(new InetSocketAddress("127.0.0.1", port));
  }

  @Override
  public void registerSelector(Selector acceptors) {
    selector = acceptors;
  }

  /**
   * A selector takes what is registered into account when it selects the next time: who waits
   * already goes on waiting, until it is woken.
   */
  void listenFromTheNextSelection() {
    super.registerSelector(selector);
  }
}
