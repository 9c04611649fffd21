import java.net.InetAddress;
import java.net.ServerSocket;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransportException;
import org.apache.thrift.transport.layered.TFramedTransport;

/** Starts the example, calls it as a client does, and prints the name in its answer. */
public final class CallHello {
  public static void main(String[] args) throws Exception {
    int port = freePort();
    Thread server = new Thread(() -> serve(port));
    server.setDaemon(true);
    server.start();
    try (TFramedTransport transport = connect(port, server)) {
      TBinaryProtocol calls = new TBinaryProtocol(transport);
      calls.writeMessageBegin(new TMessage("world", TMessageType.CALL, 1));
      calls.writeFieldStop();
      transport.flush();
      System.out.println(calls.readMessageBegin().name);
    }
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void serve(int port) {
    try {
      Hello.main(new String[] {Integer.toString(port)});
    } catch (Exception e) {
      throw new IllegalStateException("the example does not serve", e);
    }
  }

  private static TFramedTransport connect(int port, Thread server) throws Exception {
    while (true) {
      TFramedTransport transport = new TFramedTransport(new TSocket("127.0.0.1", port, 10_000));
      try {
        transport.open();
        return transport;
      } catch (TTransportException e) {
        if (!server.isAlive()) {
          throw e;
        }
        Thread.onSpinWait();
      }
    }
  }
}
