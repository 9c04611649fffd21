package dev.ringside.thrift;

import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.apache.thrift.transport.TTransportException;

/**
 * Is a listener that does not report connections to its acceptor, so they stay in the kernel's
 * queue.
 */
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
   * Registers the listener. It takes effect with the next select: one that is already waiting
   * continues until it is woken.
   */
  void listenFromTheNextSelection() {
    super.registerSelector(selector);
  }
}
