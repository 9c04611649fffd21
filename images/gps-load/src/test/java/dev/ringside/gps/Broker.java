package dev.ringside.gps;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * Runs a broker in its own process with the jars of the image and settings similar to the chart's.
 */
final class Broker implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 240;

  private final Process process;
  private final int port;

  private Broker(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts a broker with topics of three partitions each, and waits until it is ready. */
  static Broker start(Path folder, String... topics) throws Exception {
    int port = FreePorts.next();
    int controller = FreePorts.next();
    Path settings = folder.resolve("server.properties");
    Files.write(
        settings,
        List.of(
            "process.roles=broker,controller",
            "node.id=0",
            "listeners=PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controller,
            "controller.listener.names=CONTROLLER",
            "controller.quorum.voters=0@127.0.0.1:" + controller,
            "log.dirs=" + folder.resolve("broker"),
            "auto.create.topics.enable=false",
            "offsets.topic.replication.factor=1",
            "offsets.topic.num.partitions=1",
            "transaction.state.log.replication.factor=1",
            "transaction.state.log.min.isr=1"));
    Process format =
        java(
            folder,
            "kafka.tools.StorageTool",
            "format",
            "--cluster-id=ringside-trip-cache-00",
            "--config=" + settings);
    if (!format.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || format.exitValue() != 0) {
      format.destroyForcibly();
      throw new IOException("the broker's folder was not formatted: see " + folder);
    }
    Broker broker = new Broker(java(folder, "kafka.Kafka", settings.toString()), port);
    try (Admin admin =
        Admin.create(
            Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                broker.address(),
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                (int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS)))) {
      List<NewTopic> wanted = new ArrayList<>();
      for (String topic : topics) {
        wanted.add(new NewTopic(topic, 3, (short) 1));
      }
      admin.createTopics(wanted).all().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      broker.close();
      throw e;
    }
    return broker;
  }

  private static Process java(Path folder, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("broker.log").toFile()))
        .start();
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
