package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.thrift.TException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Compares what clients see of this server and of libthrift's own while others are slow or greedy:
 * never an error more than with the best of them, and never a 99th percentile of more than twice
 * its. Where a fault is found here, the difference is a hundredfold: calls that take milliseconds
 * take seconds, or fail. So a busy machine changes nothing but the digits. A pair of runs counts if
 * it shows that; the best of three does, because other work may fall into any of them.
 */
@Timeout(300)
final class PeersTest {
  private static final int ATTEMPTS = 3;
  private static final int TIMEOUT_MILLIS = 5000;

  /**
   * Below this, the machine's other work decides; also below a few of the delays that it causes.
   */
  private static final long FLOOR_NANOS = TimeUnit.MILLISECONDS.toNanos(40);

  private static final int FEW = 4;

  /** Holds what clients saw. */
  private static final class Seen {
    final List<Long> nanos = Collections.synchronizedList(new ArrayList<>());
    int errors;

    long p99() {
      List<Long> sorted = new ArrayList<>(nanos);
      Collections.sort(sorted);
      return sorted.isEmpty() ? Long.MAX_VALUE : sorted.get((sorted.size() * 99 - 1) / 100);
    }

    @Override
    public String toString() {
      return nanos.size() + " calls, p99 " + p99() / 1000 + " µs, " + errors + " errors";
    }
  }

  /** Is one run beside one server. */
  private interface PeerRun {
    Seen with(Peers peer) throws Exception;
  }

  /** Is what clients do with a server. */
  private interface Scenario {
    Seen run(int port) throws Exception;
  }

  /** Is the same with a server in a process of its own. */
  private interface ProcessScenario {
    Seen run(int port, long pid) throws Exception;
  }

  private final TestService service = new TestService();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private static Void callLarge(int port, Random random) throws Exception {
    try (Client client = new Client(port)) {
      for (int i = 0; i < 10; i++) {
        int bytes = (100 << 10) + random.nextInt(6 << 20);
        client.call("large", ByteBuffer.allocate(4).putInt(bytes).array());
      }
    }
    return null;
  }

  /** Runs a scenario with each server, until what clients see of ours is as good. */
  private void compare(Set<Peers> peers, PeerRun run) throws Exception {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < ATTEMPTS; i++) {
      Map<Peers, Seen> seen = new EnumMap<>(Peers.class);
      AtomicBoolean ends = new AtomicBoolean();
      Future<Seen> delays = threads.submit(() -> delays(ends));
      for (Peers peer : peers) {
        seen.put(peer, run.with(peer));
      }
      ends.set(true);
      all.add(seen + " beside delays of " + delays.get());
      long floor = Math.max(FLOOR_NANOS, FEW * delays.get().p99());
      if (isAsGood(seen.remove(Peers.OURS), seen.values(), floor)) {
        System.out.println("beside peers: " + all.get(i));
        return;
      }
    }
    throw new AssertionError("it is worse than the best peer: " + all);
  }

  private void compare(Set<Peers> peers, long memory, Scenario scenario) throws Exception {
    compare(
        peers,
        peer -> {
          try (Peers.Running server = peer.start(service, memory)) {
            return scenario.run(server.port);
          }
        });
  }

  /** Returns how much longer than a millisecond it takes a thread to wake up after one. */
  private static Seen delays(AtomicBoolean ends) {
    Seen seen = new Seen();
    while (!ends.get()) {
      long began = System.nanoTime();
      LockSupport.parkNanos(1_000_000);
      seen.nanos.add(System.nanoTime() - began - 1_000_000);
    }
    return seen;
  }

  private static boolean isAsGood(Seen ours, Iterable<Seen> peers, long floor) {
    int errors = Integer.MAX_VALUE;
    long p99 = Long.MAX_VALUE;
    for (Seen peer : peers) {
      errors = Math.min(errors, peer.errors);
      p99 = Math.min(p99, peer.p99());
    }
    return ours.errors <= errors && ours.p99() <= Math.max(floor, 2 * p99);
  }

  /** Calls with arguments of some sizes until told to end; at least once with each. */
  private static Seen call(Wiring wiring, int port, AtomicBoolean ends, int... sizes) {
    Seen seen = new Seen();
    Random random = new Random(port);
    while (!ends.get() && seen.errors < 2) {
      try (Client client = wiring.connect(port)) {
        client.socket().setSoTimeout(TIMEOUT_MILLIS);
        do {
          for (int size : sizes) {
            byte[] argument = Bytes.random(random, size);
            long began = System.nanoTime();
            assertArrayEquals(argument, client.call("echo", argument));
            seen.nanos.add(System.nanoTime() - began);
          }
        } while (!ends.get());
      } catch (IOException | TException e) {
        seen.errors++;
      }
    }
    return seen;
  }

  /** Sends a frame at some pace, as a client does over a slow link, and reads the answer. */
  private static Void upload(int port, byte[] payload, int pieces, long millis) throws Exception {
    byte[] frame = Client.frame("echo", 1, payload);
    try (Client client = new Client(port)) {
      long began = System.nanoTime();
      for (int i = 0; i < pieces; i++) {
        long due = began + TimeUnit.MILLISECONDS.toNanos(i * millis / pieces);
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        client.send(
            Arrays.copyOfRange(
                frame,
                (int) ((long) frame.length * i / pieces),
                (int) ((long) frame.length * (i + 1) / pieces)));
      }
      assertArrayEquals(payload, client.receive("echo", 1));
    }
    return null;
  }

  /** Much more than kernels keep of each, and three times as much as the memory for requests. */
  private static final int UPLOADS = 12;

  private static final int UPLOAD_BYTES = 6 << 20;
  private static final int UPLOAD_MEMORY = 24 << 20;
  private static final long UPLOAD_MILLIS = 2000;

  @Test
  void shouldServeHonestUploadsAndTheirNeighbours() throws Exception {
    byte[] payload = Bytes.random(new Random(1), UPLOAD_BYTES);
    compare(
        EnumSet.allOf(Peers.class),
        UPLOAD_MEMORY,
        port -> {
          AtomicBoolean ends = new AtomicBoolean();
          Future<Seen> neighbour =
              threads.submit(() -> call(Wiring.TCP, port, ends, 100, 10_000, 100_000));
          List<Future<Void>> uploads = new ArrayList<>();
          for (int i = 0; i < UPLOADS; i++) {
            uploads.add(threads.submit(() -> upload(port, payload, 20, UPLOAD_MILLIS)));
          }
          Seen seen = new Seen();
          for (Future<Void> upload : uploads) {
            try {
              upload.get(20, TimeUnit.SECONDS);
            } catch (Exception e) {
              seen.errors++;
              upload.cancel(true);
            }
          }
          ends.set(true);
          seen.nanos.addAll(neighbour.get().nanos);
          seen.errors += neighbour.get().errors;
          return seen;
        });
  }

  /** Clients send all but the end of large frames, and use up the memory for requests. */
  @Test
  void shouldServeOthersWhileUploadsStandStill() throws Exception {
    byte[] frame = Client.frame("echo", 1, new byte[1 << 20]);
    compare(
        EnumSet.allOf(Peers.class),
        8 << 20,
        port -> {
          List<Client> strangers = new ArrayList<>();
          AtomicBoolean ends = new AtomicBoolean();
          try {
            for (int i = 0; i < 16; i++) {
              Client stranger = new Client(port);
              strangers.add(stranger);
              threads.submit(
                  () -> {
                    stranger.send(Arrays.copyOf(frame, frame.length - 100));
                    return null;
                  });
            }
            Thread.sleep(300);
            Future<Seen> seen =
                threads.submit(() -> call(Wiring.TCP, port, ends, 100, 10_000, 100_000));
            Thread.sleep(1000);
            ends.set(true);
            return seen.get();
          } finally {
            for (Client stranger : strangers) {
              stranger.close();
            }
          }
        });
  }

  /** Together, they want several times as much as the memory for replies. */
  @Test
  void shouldAnswerSlowReadersAndTheirNeighbours() throws Exception {
    byte[] reply = Bytes.random(new Random(1), 8 << 20);
    service.on("large", argument -> reply);
    compare(
        EnumSet.allOf(Peers.class),
        20 << 20,
        port -> {
          AtomicBoolean ends = new AtomicBoolean();
          Future<Seen> neighbour = threads.submit(() -> call(Wiring.TCP, port, ends, 100));
          List<Future<byte[]>> readers = new ArrayList<>();
          for (int i = 0; i < 10; i++) {
            readers.add(
                threads.submit(
                    () -> {
                      try (Client client = Wiring.TCP.connectDeaf(port)) {
                        client.send(Client.frame("large", 1, new byte[0]));
                        return client.receiveSlowly("large", 1, 512 << 10, 20);
                      }
                    }));
          }
          int errors = 0;
          for (Future<byte[]> reader : readers) {
            try {
              assertArrayEquals(reply, reader.get(60, TimeUnit.SECONDS));
            } catch (Exception e) {
              errors++;
            }
          }
          ends.set(true);
          Seen seen = neighbour.get();
          seen.errors += errors;
          return seen;
        });
  }

  /** The process is stopped for a while, as by a debugger or by docker pause. */
  @Test
  void shouldAnswerWhatHasComeWhileTheProcessWasStopped() throws Exception {
    compareProcesses(
        EnumSet.of(Peers.OURS, Peers.HSHA),
        new String[] {"-Xmx128m", "-Didle.millis=1500", "-Dstall.millis=1500"},
        (port, pid) -> {
          Seen seen = new Seen();
          List<Client> clients = new ArrayList<>();
          byte[] frame = Client.frame("echo", 2, Bytes.of("whole"));
          try {
            for (int i = 0; i < 20; i++) {
              clients.add(new Client(port));
              clients.get(i).call("echo", Bytes.of("x"));
              clients.get(i).send(Arrays.copyOf(frame, i % 2 * 10));
            }
            signal("STOP", pid);
            // Longer than both timeouts, and than any delay that is the machine's.
            Thread.sleep(4000);
            for (int i = 0; i < clients.size(); i++) {
              clients.get(i).send(Arrays.copyOfRange(frame, i % 2 * 10, frame.length));
            }
            signal("CONT", pid);
            for (Client client : clients) {
              long began = System.nanoTime();
              try {
                client.receive("echo", 2);
                seen.nanos.add(System.nanoTime() - began);
              } catch (IOException | TException e) {
                seen.errors++;
              }
            }
            return seen;
          } finally {
            signal("CONT", pid);
            for (Client client : clients) {
              client.close();
            }
          }
        });
  }

  private static void signal(String name, long pid) throws Exception {
    assertEquals(0, new ProcessBuilder("kill", "-" + name, "" + pid).start().waitFor());
  }

  /** Replies of many sizes come first, then requests that block and need new threads. */
  @Test
  void shouldServeQuickRequestsThoughDirectMemoryIsShort() throws Exception {
    compareProcesses(
        EnumSet.allOf(Peers.class),
        new String[] {
          "-Xmx256m", "-XX:MaxDirectMemorySize=24m", "-Dworkers=64", "-Dmemory=268435456"
        },
        (port, pid) -> {
          List<Future<Void>> large = new ArrayList<>();
          for (int i = 0; i < 6; i++) {
            Random random = new Random(i);
            large.add(threads.submit(() -> callLarge(port, random)));
          }
          for (Future<Void> one : large) {
            one.get();
          }
          AtomicBoolean ends = new AtomicBoolean();
          List<Future<Void>> slow = new ArrayList<>();
          for (int i = 0; i < 30; i++) {
            slow.add(
                threads.submit(
                    () -> {
                      try (Client client = new Client(port)) {
                        while (!ends.get()) {
                          client.call("sleep", new byte[1]);
                        }
                      }
                      return null;
                    }));
          }
          Future<Seen> quick = threads.submit(() -> call(Wiring.TCP, port, ends, 100));
          Thread.sleep(2000);
          ends.set(true);
          for (Future<Void> one : slow) {
            one.get();
          }
          return quick.get();
        });
  }

  private void compareProcesses(Set<Peers> peers, String[] flags, ProcessScenario scenario)
      throws Exception {
    compare(
        peers,
        peer -> {
          try (PeerProcess process = new PeerProcess(peer, flags)) {
            return scenario.run(process.port, process.pid);
          }
        });
  }
}
