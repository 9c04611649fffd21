package dev.ringside.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CpuGroupTest {
  @ParameterizedTest
  @CsvSource({
    "Ringside-hsha-worker:12, SERVER",
    "Ringside-threadpool, SERVER",
    "cassandra-9166-acceptor, SERVER",
    "Thrift-Selector_3, SERVER",
    "epollEventLoopGroup-5-3, SERVER",
    "Native-Transport-Requests-12, SERVER",
    "SharedPool-Worker-4, REQUEST",
    "ReadStage-2, REQUEST",
    "MutationStage-2, REQUEST",
    "RequestResponseStage-1, REQUEST",
    "MessagingService-Incoming-/10.1.2.3, MESSAGING",
    "MessagingService-Outgoing-/10.1.2.3-Small, MESSAGING",
    "ACCEPT-/10.1.2.3, MESSAGING",
    "Messaging-EventLoop-3-1, MESSAGING",
  })
  void shouldKnowCassandrasThreadsByName(String name, CpuGroup group) {
    assertEquals(group, CpuGroup.of(new Thread(name)));
  }

  @ParameterizedTest
  @CsvSource({"CompactionExecutor:1", "GossipStage:1", "counters", "Thread-7", "cassandra-other"})
  void shouldLeaveOthersToTheRest(String name) {
    assertNull(CpuGroup.of(new Thread(name)));
  }

  /** Names in the kernel for Java 8, 11 and 17. */
  @ParameterizedTest
  @CsvSource({
    "Gang worker#0 (, GC",
    "Concurrent Mark, GC",
    "CMS Main Thread, GC",
    "ZWorker#0, GC",
    "Shenandoah GC T, GC",
    "VM Thread, GC",
    "GC Thread#1, GC",
    "G1 Conc#0, GC",
    "C2 CompilerThre, COMPILER",
    "C1 CompilerThre, COMPILER",
  })
  void shouldKnowTheJvmsOwnThreads(String comm, CpuGroup group) {
    assertEquals(group, CpuGroup.ofNative(comm));
  }

  @Test
  void shouldNotTakeJavasThreadsForTheJvmsOwn() {
    assertNull(CpuGroup.ofNative("java"));
    assertNull(CpuGroup.ofNative("VM Periodic Tas"));
    assertNull(CpuGroup.ofNative("ReadStage-1"));
  }
}
