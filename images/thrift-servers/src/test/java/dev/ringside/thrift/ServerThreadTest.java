package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.ringside.thrift.internal.work.ServerThread;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.util.concurrent.ThreadFactory;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

final class ServerThreadTest {
  @Test
  void shouldNotTakePlatformThreadsForVirtualOnes() {
    assertFalse(ServerThread.areVirtual(Thread::new));
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void shouldRejectVirtualThreadsAsLeadersWithTheReason() throws Exception {
    Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
    Method factory = Class.forName("java.lang.Thread$Builder").getMethod("factory");
    ThreadFactory virtual = (ThreadFactory) factory.invoke(builder);
    try (TNonblockingServerSocket socket =
        new TNonblockingServerSocket(new InetSocketAddress("127.0.0.1", 0))) {
      TDisruptorServer.Args args =
          new TDisruptorServer.Args(socket)
              .name("virtual")
              .processor(new TestService())
              .threadFactory(virtual);
      assertEquals(
          "server virtual: its threadFactory makes virtual threads, of which nobody can tell the"
              + " CPU time and the state in the kernel, from which this server learns what its"
              + " methods do: give it one that makes platform threads",
          assertThrows(IllegalArgumentException.class, () -> new TDisruptorServer(args))
              .getMessage());
    }
  }
}
