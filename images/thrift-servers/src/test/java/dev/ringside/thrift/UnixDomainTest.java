package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Paths;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

final class UnixDomainTest {
  @Test
  void shouldSayWhatIsNeededWhereJavaHasNoUnixSockets() {
    UnsupportedOperationException refused =
        assertThrows(
            UnsupportedOperationException.class,
            () ->
                UnixDomain.sockets(
                    name -> {
                      throw new ClassNotFoundException(name);
                    },
                    "1.8.0_402"));
    assertEquals(
        "Unix domain sockets need Java 16 or later, and this is Java 1.8.0_402: run the server on a"
            + " later one, or listen on TCP",
        refused.getMessage());
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_15)
  void shouldBeRefusedByAJavaThatHasNone() {
    String refused =
        assertThrows(
                UnsupportedOperationException.class,
                () -> new UnixServerSocket(Paths.get("thrift.sock")))
            .getMessage();
    assertTrue(refused.contains("this is Java " + System.getProperty("java.version")), refused);
  }
}
