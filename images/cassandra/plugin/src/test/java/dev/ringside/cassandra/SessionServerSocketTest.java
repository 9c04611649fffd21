package dev.ringside.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Field;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.cassandra.thrift.TCustomServerSocket;
import org.apache.cassandra.thrift.TServerFactory;
import org.apache.thrift.transport.TTransportException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SessionServerSocketTest {
  private static SessionServerSocket listening() throws Exception {
    TServerFactory.Args args =
        HostedNode.args(HostedNode.freePort(), HostedNode.handler(method -> null));
    SessionServerSocket socket = new SessionServerSocket(args.addr, args, new CountingSessions());
    socket.listen();
    return socket;
  }

  /** With an accept timeout, libthrift's thread pool would log warnings all the time. */
  @Test
  void shouldWaitForClientsWithoutATimeout() throws Exception {
    SessionServerSocket socket = listening();
    Field wrapped = TCustomServerSocket.class.getDeclaredField("serverSocket");
    wrapped.setAccessible(true);
    assertEquals(0, ((ServerSocket) wrapped.get(socket)).getSoTimeout());
    socket.close();
  }

  @Test
  void shouldEndAnAcceptThatIsInterrupted() throws Exception {
    SessionServerSocket socket = listening();
    CompletableFuture<Void> accepted = new CompletableFuture<>();
    Thread acceptor =
        new Thread(
            () -> {
              try {
                socket.accept();
                accepted.complete(null);
              } catch (TTransportException e) {
                accepted.completeExceptionally(e);
              }
            });
    acceptor.start();
    while (!isIn(acceptor, ServerSocket.class, "accept")) {
      Thread.onSpinWait();
    }
    socket.interrupt();
    Throwable end = assertThrows(CompletionException.class, accepted::join).getCause();
    assertInstanceOf(SocketException.class, end.getCause());
  }

  @Test
  void shouldNotListenAfterAnInterrupt() throws Exception {
    SessionServerSocket socket = listening();
    socket.interrupt();
    assertThrows(TTransportException.class, socket::listen);
  }

  private static boolean isIn(Thread thread, Class<?> type, String method) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.getClassName().equals(type.getName()) && frame.getMethodName().equals(method)) {
        return true;
      }
    }
    return false;
  }
}
