package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.concurrent.ThreadFactory;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

final class VirtualThreadsTest {
  @Test
  void shouldNotBeTakenForThoseOfThePlatform() {
    assertFalse(VirtualThreads.areMadeBy(Thread::new));
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void shouldBeRefusedWithTheReason() throws Exception {
    // By reflection, since tests are compiled for Java without them, too.
    Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
    ThreadFactory factory =
        (ThreadFactory)
            Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
    assertTrue(VirtualThreads.areMadeBy(factory));
    TNonblockingServerSocket socket =
        new TNonblockingServerSocket(new InetSocketAddress("127.0.0.1", 0));
    try {
      TDisruptorServer.Args args =
          new TDisruptorServer.Args(socket)
              .name("virtual")
              .processor(new TestService())
              .threadFactory(factory);
      assertEquals(
          "server virtual: its threadFactory makes virtual threads, of which nobody can tell the CPU"
              + " time and the state in the kernel, from which this server learns what its methods"
              + " do: give it one that makes platform threads",
          assertThrows(IllegalArgumentException.class, () -> new TDisruptorServer(args))
              .getMessage());
    } finally {
      socket.close();
    }
  }
}
