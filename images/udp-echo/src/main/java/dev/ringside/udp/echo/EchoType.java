package dev.ringside.udp.echo;

import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.SleepingWaitStrategy;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.YieldingWaitStrategy;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** Lists the variants that are compared. */
enum EchoType {
  /** Rings whose threads wait on a lock: no CPU time at rest, but a hand-off may wake a thread. */
  DISRUPTOR_BLOCKING("disruptor-blocking", BlockingWaitStrategy::new),
  /** The published variant: threads poll, yield, then sleep for 0.1 ms at a time. */
  DISRUPTOR_SLEEPING("disruptor-sleeping", SleepingWaitStrategy::new),
  /** Threads that always yield: they use two cores at rest, unless other threads need them. */
  DISRUPTOR_YIELDING("disruptor-yielding", YieldingWaitStrategy::new),
  /** Threads that always spin: they use two cores at rest. */
  DISRUPTOR_BUSYSPIN("disruptor-busyspin", BusySpinWaitStrategy::new),
  /** One acceptor thread, a queue and handler threads. */
  BLOCKING("blocking", null),
  /** One acceptor thread, and a task per datagram in a thread pool. */
  EXECUTOR("executor", null),
  /** One socket per thread, all on the same port. */
  SOCKET_PER_THREAD("socket-per-thread", null),
  /** One thread. */
  INLINE("inline", null);

  private final String id;
  private final Supplier<WaitStrategy> waiting;

  EchoType(String id, Supplier<WaitStrategy> waiting) {
    this.id = id;
    this.waiting = waiting;
  }

  /** Returns the name in settings, charts and proofs. */
  String id() {
    return id;
  }

  /** Returns all names. */
  static List<String> ids() {
    return Arrays.stream(values()).map(EchoType::id).toList();
  }

  /** Returns the variant with a valid name. */
  static EchoType of(String id) {
    return values()[ids().indexOf(id)];
  }

  /** Returns the number of sockets on its port. */
  int sockets(Options options) {
    return this == SOCKET_PER_THREAD ? options.handlers() : 1;
  }

  /** Creates the variant for its sockets without starting it. */
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
