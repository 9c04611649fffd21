package dev.ringside.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerProofTest {
  private static final HostedServer SERVER = new HostedServer("inline", 8081);

  @Test
  void shouldBeALineThatAnyJsonReaderReads() throws Exception {
    String line =
        new ServerProof(ServerProofTest.class, "10.0.0.1")
            .with("workers", 16)
            .line(SERVER, Runnable.class, Map.of("queue", "a \"quoted\"\nvalue\u00e9"));
    assertTrue(line.startsWith(ServerProof.MARK) && line.matches("\\p{ASCII}+"), line);
    JsonNode proof = new ObjectMapper().readTree(line.substring(ServerProof.MARK.length()));
    assertEquals("inline", proof.get("server").asText());
    assertEquals("java.lang.Runnable", proof.get("class").asText());
    assertEquals("10.0.0.1", proof.get("address").asText());
    assertEquals(8081, proof.get("port").asInt());
    assertEquals("unknown", proof.get("plugin_sha256").asText(), "tests run from a folder");
    JsonNode environment = proof.get("environment");
    assertTrue(environment.get("workers").isTextual(), "the operator reads texts");
    assertEquals("a \"quoted\"\nvalue\u00e9", environment.get("queue").asText());
    assertEquals(
        Long.toString(Runtime.getRuntime().maxMemory()),
        environment.get("heap_max_bytes").asText());
  }

  @Test
  void shouldTellTheSumOfTheJarThatTheMainClassCameFrom() throws Exception {
    Path jar =
        Path.of(ObjectMapper.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    String sum =
        HexFormat.of()
            .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
    String line = new ServerProof(ObjectMapper.class, "").line(SERVER, Runnable.class, Map.of());
    assertTrue(line.contains("\"plugin_sha256\":\"" + sum + "\""), line);
  }

  @Test
  void shouldHideWhatLooksLikeASecret() {
    assertEquals(
        "-Xmx1g -Dkeystore.password=*** -Dx=y",
        ServerProof.flags(List.of("-Xmx1g", "-Dkeystore.password=hunter2", "-Dx=y")));
  }
}
