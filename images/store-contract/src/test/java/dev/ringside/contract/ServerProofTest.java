package dev.ringside.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ServerProofTest {
  private static String line(ServerProof proof, Map<String, ?> own) {
    return proof.line("hsha", String.class, "127.0.0.1", 9160, own);
  }

  private static JsonNode json(String line) throws Exception {
    assertTrue(line.startsWith("ringside-proof {"), line);
    return new ObjectMapper().readTree(line.substring(ServerProof.MARK.length()));
  }

  @Test
  void shouldNameTheServerAndWhatItRunsOn() throws Exception {
    JsonNode proof =
        json(
            line(
                ServerProof.ofJarOf(ServerProof.class)
                    .with("heap", 7)
                    .withVersionOf(ObjectMapper.class, "jackson-databind")
                    .withVersionOf(ObjectMapper.class, "another"),
                Collections.singletonMap("workers", 16)));
    assertEquals("hsha", proof.get("server").textValue());
    assertEquals("java.lang.String", proof.get("class").textValue());
    assertEquals("127.0.0.1", proof.get("address").textValue());
    assertEquals(9160, proof.get("port").intValue());
    JsonNode environment = proof.get("environment");
    assertTrue(
        environment.get("jvm").textValue().endsWith(" " + System.getProperty("java.version")));
    assertEquals(
        Long.toString(Runtime.getRuntime().maxMemory()),
        environment.get("heap_max_bytes").textValue());
    assertTrue(environment.get("jvm_flags").isTextual());
    assertTrue(environment.get("jackson-databind").textValue().startsWith("2."));
    assertFalse(environment.has("another"), "its jar's name tells of another library");
    assertEquals("7", environment.get("heap").textValue());
    assertEquals("16", environment.get("workers").textValue());
  }

  @Test
  void shouldTellSettingsApartFromDefaultsAndKeepSecrets() throws Exception {
    StringBuilder longText = new StringBuilder();
    for (int i = 0; i < ServerProof.MAX_SETTING + 1; i++) {
      longText.append('x');
    }
    JsonNode proof =
        json(
            line(
                ServerProof.ofJarOf(String.class)
                    .withSetting("concurrent_reads", 16, false)
                    .withSetting("concurrent_writes", 32, true)
                    .withSetting("keystore_password", "hunter2", false)
                    .withSetting("credentials_validity_in_ms", 2000, true)
                    .withSetting("long", longText, true),
                Collections.emptyMap()));
    assertEquals("16", proof.get("settings").get("concurrent_reads").textValue());
    assertTrue(proof.get("settings").has("jvm.collectors"));
    assertEquals("32", proof.get("defaults").get("concurrent_writes").textValue());
    assertEquals(ServerProof.MAX_SETTING, proof.get("defaults").get("long").textValue().length());
    assertEquals("***", proof.get("settings").get("keystore_password").textValue());
    assertEquals("2000", proof.get("defaults").get("credentials_validity_in_ms").textValue());
  }

  @Test
  void shouldGiveTheSumOfTheJarThatTheClassCameFrom() throws Exception {
    URI jar = ObjectMapper.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(Paths.get(jar)));
    assertEquals(
        String.format("%064x", new BigInteger(1, sum)),
        json(line(ServerProof.ofJarOf(ObjectMapper.class), Collections.emptyMap()))
            .get("plugin_sha256")
            .textValue());
    // A folder of classes, and a class of the JVM itself.
    for (Class<?> type : Arrays.asList(ServerProofTest.class, String.class)) {
      assertEquals(
          "unknown",
          json(line(ServerProof.ofJarOf(type), Collections.emptyMap()))
              .get("plugin_sha256")
              .textValue());
    }
  }

  @Test
  void shouldStayOneLineOfAsciiWhateverItIsGiven() throws Exception {
    StringBuilder all = new StringBuilder("\"\\/ \ud83e\udd4a \u2028");
    for (char c = 0; c < 0x180; c++) {
      all.append(c);
    }
    String line =
        line(ServerProof.ofJarOf(String.class), Collections.singletonMap("a \"name\"\n", all));
    assertTrue(line.chars().allMatch(c -> c >= ' ' && c <= '~'), line);
    assertEquals(all.toString(), json(line).get("environment").get("a \"name\"\n").textValue());
  }

  @Test
  void shouldKeepSecretsOutOfTheFlags() {
    assertEquals(
        "-Xmx1g -XX:+UseG1GC -Dstore.trustStorePassword=*** -DAPI_TOKEN=*** -Dmy.secret=***"
            + " -javaagent:/jmx.jar=*** -Dport=1=2",
        JvmEnvironment.flags(
            Arrays.asList(
                "-Xmx1g",
                "-XX:+UseG1GC",
                "-Dstore.trustStorePassword=hunter2",
                "-DAPI_TOKEN=abc=def",
                "-Dmy.secret=x y",
                "-javaagent:/jmx.jar=port=1,password=hunter2",
                "-Dport=1=2")));
  }
}
