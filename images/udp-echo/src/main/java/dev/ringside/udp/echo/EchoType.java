package dev.ringside.udp.echo;

import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.SleepingWaitStrategy;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.YieldingWaitStrategy;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** The variants that are compared. */
enum EchoType {
  /** Rings whose threads wait on a lock: nothing is burnt at rest, and each hand-off may wake. */
  DISRUPTOR_BLOCKING("disruptor-blocking", BlockingWaitStrategy::new),
  /** The published one: threads look, yield, then sleep for a tenth of a millisecond at a time. */
  DISRUPTOR_SLEEPING("disruptor-sleeping", SleepingWaitStrategy::new),
  /** Two threads that yield for ever: two cores at rest, as far as nobody else wants them. */
  DISRUPTOR_YIELDING("disruptor-yielding", YieldingWaitStrategy::new),
  /** Two threads that spin for ever: two cores at rest. */
  DISRUPTOR_BUSYSPIN("disruptor-busyspin", BusySpinWaitStrategy::new),
  /** One acceptor, a queue, handler threads. */
  BLOCKING("blocking", null),
  /** One acceptor, a task per datagram in a thread pool. */
  EXECUTOR("executor", null),
  /** A socket on the same port for each thread. */
  SOCKET_PER_THREAD("socket-per-thread", null),
  /** One thread. */
  INLINE("inline", null);

  private final String id;
  private final Supplier<WaitStrategy> waiting;

  EchoType(String id, Supplier<WaitStrategy> waiting) {
    this.id = id;
    this.waiting = waiting;
  }

  /** Its name in settings, charts and proofs. */
  String id() {
    return id;
  }

  /** All names. */
  static List<String> ids() {
    return Arrays.stream(values()).map(EchoType::id).toList();
  }

  /** The variant of a name that is one of those. */
  static EchoType of(String id) {
    return values()[ids().indexOf(id)];
  }

  /** Sockets that it has on its port. */
  int sockets(Options options) {
    return this == SOCKET_PER_THREAD ? options.handlers() : 1;
  }

  /** Builds it over its sockets; nothing runs yet. */
  Variant over(List<Port> ports, Handler handler, Options options, Counts counts) {
    Port port = ports.get(0);
    switch (this) {
      case INLINE:
        return new InlineEcho(port, handler);
      case SOCKET_PER_THREAD:
        return new SocketPerThreadEcho(ports, handler);
      case BLOCKING:
        return new BlockingEcho(port, handler, options.handlers(), options.slots(), counts);
      case EXECUTOR:
        return new ExecutorEcho(port, handler, options.handlers(), options.slots(), counts);
      default:
        return new DisruptorEcho(port, handler, options.slots(), waiting, counts);
    }
  }
}
