package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.concurrent.ThreadFactory;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

final class VirtualThreadsTest {
  private TNonblockingServerSocket socket;

  @BeforeEach
  void listen() throws Exception {
    socket = new TNonblockingServerSocket(new InetSocketAddress("127.0.0.1", 0));
  }

  @AfterEach
  void close() {
    socket.close();
  }

  private TDisruptorServer.Args args() {
    return new TDisruptorServer.Args(socket).name("virtual").processor(new TestService());
  }

  @Test
  void shouldNotBeTakenForThoseOfThePlatform() {
    assertFalse(VirtualThreads.areMadeBy(Thread::new));
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_20)
  void shouldBeRefusedAsWorkersOnAJavaWithoutThem() {
    assertEquals(
        "virtualWorkers needs Java 21 or later, and this is "
            + System.getProperty("java.version")
            + ": leave it out, or run a later one",
        assertThrows(IllegalArgumentException.class, () -> args().virtualWorkers(true))
            .getMessage());
    assertFalse(args().virtualWorkers(false).virtualWorkers);
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void shouldBeRefusedAsLeadersWithTheReason() {
    ThreadFactory factory = VirtualThreads.factory("virtual-");
    assertTrue(VirtualThreads.areMadeBy(factory));
    TDisruptorServer.Args args = args().threadFactory(factory).virtualWorkers(true);
    assertEquals(
        "server virtual: its threadFactory makes virtual threads, of which nobody can tell the CPU"
            + " time and the state in the kernel, from which this server learns what its methods"
            + " do: give it one that makes platform threads, and set virtualWorkers",
        assertThrows(IllegalArgumentException.class, () -> new TDisruptorServer(args))
            .getMessage());
  }
}
