package dev.ringside.thrift;

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs one of the {@link Peers} in a process of its own, which ends when its input ends. */
final class PeerProcess implements AutoCloseable {
  final int port;
  final long pid;
  private final Process process;

  /** Starts it with flags of the JVM. */
  PeerProcess(Peers peer, String... flags) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(Arrays.asList(flags));
    command.addAll(
        Arrays.asList(
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
            "-cp",
            System.getProperty("java.class.path"),
            PeerProcess.class.getName(),
            peer.name()));
    process = new ProcessBuilder(command).redirectError(new File("/dev/null")).start();
    String[] line =
        new BufferedReader(new InputStreamReader(process.getInputStream())).readLine().split(" ");
    port = Integer.parseInt(line[0]);
    pid = Long.parseLong(line[1]);
  }

  @Override
  public void close() throws Exception {
    process.destroyForcibly().waitFor();
  }

  public static void main(String[] args) throws Exception {
    TestService service =
        new TestService()
            .on("large", argument -> new byte[ByteBuffer.wrap(argument).getInt()])
            .after("sleep", () -> Thread.sleep(20));
    try (Peers.Running server =
        Peers.valueOf(args[0]).start(service, Long.getLong("memory", 64 << 20))) {
      String pid = ManagementFactory.getRuntimeMXBean().getName().replaceAll("@.*", "");
      System.out.println(server.port + " " + pid);
      while (System.in.read() >= 0) {
        // until the test ends
      }
    }
  }
}
