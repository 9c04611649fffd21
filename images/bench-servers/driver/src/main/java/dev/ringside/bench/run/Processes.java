package dev.ringside.bench.run;

import dev.ringside.bench.stats.Build;
import dev.ringside.server.ServerType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Starts the processes of a run, each with the class path of its module. */
final class Processes {
  private static final int START_SECONDS = 60;
  private static final String CLIENT = "client";

  private final Settings settings;
  private final Path logs;
  private final Map<String, Build> builds = new HashMap<>();

  Processes(Settings settings, Path logs) {
    this.settings = settings;
    this.logs = logs;
  }

  /** Starts a server and waits until it is ready. */
  ServerProcess server(Contender contender) throws IOException, InterruptedException {
    if (contender.isPlainEcho()) {
      List<String> command = onCpus(settings.serverCpus());
      Path program = program(settings.home(), contender.type());
      command.addAll(List.of(program.toString(), Integer.toString(ServerType.BACKLOG)));
      return ready(contender.id(), command, build(contender.module(), program.toString()));
    }
    List<String> command = java(contender.module(), settings.serverCpus());
    command.add(contender.mainClass());
    command.addAll(arguments(contender, freePort()));
    return ready(contender.id(), command, build(contender.module()));
  }

  /** Returns the arguments of a server's main class. */
  List<String> arguments(Contender contender, int port) {
    List<String> arguments = new ArrayList<>(List.of(contender.type(), Integer.toString(port)));
    settings
        .threads(contender)
        .ifPresent(
            threads -> {
              arguments.add(Integer.toString(threads.workers()));
              arguments.add(Integer.toString(threads.selectors()));
            });
    return arguments;
  }

  /**
   * Starts the peer of handlers that wait for a socket, for all servers of a round. It uses the
   * servers' CPUs, so that the load generator's CPU remains exclusive.
   */
  ServerProcess peer() throws IOException, InterruptedException {
    List<String> command = java("driver", settings.serverCpus());
    command.add("dev.ringside.bench.peer.PeerMain");
    return ready("peer", command, build("driver"));
  }

  private ServerProcess ready(String name, List<String> command, Build build)
      throws IOException, InterruptedException {
    LineProcess process = new LineProcess(name, command, logs.resolve(name + ".log"));
    try {
      String[] ready = process.answer(START_SECONDS).split(" ");
      return new ServerProcess(process, Integer.parseInt(ready[1]), ready[2], build);
    } catch (IOException | InterruptedException | RuntimeException e) {
      process.close();
      throw e;
    }
  }

  private Build build(String module) throws IOException, InterruptedException {
    return build(module, classPath(module));
  }

  /** Returns a module's build. It is read once, because no build runs during a comparison. */
  private Build build(String module, String classPath) throws IOException, InterruptedException {
    Build build = builds.get(module);
    if (build == null) {
      build = CodeIdentity.of(settings.home().resolve(module), classPath);
      builds.put(module, build);
    }
    return build;
  }

  /** Starts the load generator of a cell and waits until its connections are open. */
  LoadProcess client(ServerProcess server, Contender contender, Cell cell)
      throws IOException, InterruptedException {
    List<String> command = onCpus(settings.clientCpus());
    command.add(client(settings.home()).toString());
    return LoadProcess.start(
        command,
        logs.resolve(CLIENT + ".log"),
        server.port(),
        cell,
        contender.isPlainEcho(),
        LoadProcess.STALL_SECONDS);
  }

  /** Returns the load generator's program. */
  static Path client(Path home) {
    return program(home, CLIENT);
  }

  /** Returns a program that {@code native/compile} has built. */
  private static Path program(Path home, String name) {
    return home.resolve(Contender.NATIVE).resolve("target").resolve(name);
  }

  /** Returns a command that is to be continued: what restricts it to CPUs, or nothing. */
  private static List<String> onCpus(String cpus) {
    return new ArrayList<>(cpus.isEmpty() ? List.of() : List.of("taskset", "-c", cpus));
  }

  private List<String> java(String module, String cpus) throws IOException {
    List<String> command = onCpus(cpus);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(settings.jvmFlags());
    command.addAll(List.of("-cp", classPath(module)));
    return command;
  }

  private String classPath(String module) throws IOException {
    Path target = settings.home().resolve(module).resolve("target");
    String dependencies =
        Files.readString(target.resolve("classpath"), StandardCharsets.UTF_8).trim();
    return target.resolve("classes") + ":" + dependencies;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
