package dev.ringside.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  private static final List<String> KNOWN = List.of("a", "b", "b-c");

  @Test
  void shouldReadWhatIsSetAndTakeTheUsualForTheRest() {
    Settings in = new Settings(Map.of("N", " 7 ", "F", "true", "S", "b:2,a:65535")::get);
    assertEquals(7, in.number("N", 1, 10, 3));
    assertEquals(3, in.number("ABSENT", 1, 10, 3));
    assertTrue(in.flag("F", false));
    assertFalse(in.flag("ABSENT", false));
    assertEquals("x", in.text("ABSENT", "x"));
    assertEquals(
        List.of(new HostedServer("b", 2), new HostedServer("a", 65535)),
        in.servers("S", "a:1", KNOWN));
    in.check();
  }

  @Test
  void shouldTakeFurtherServersOfATypeWithOptionsOfTheirOwn() {
    Settings in =
        new Settings(
            Map.of(
                    "SERVERS", "b:1,b-64:2,b-c-64:3",
                    "RINGSIDE_WORKERS", "16",
                    "RINGSIDE_B_64_WORKERS", "64")
                ::get);
    List<HostedServer> servers = in.servers("SERVERS", "a:1", KNOWN);
    assertEquals(List.of("b", "b", "b-c"), servers.stream().map(HostedServer::type).toList());
    assertEquals(
        List.of(16, 64, 16),
        servers.stream()
            .map(server -> in.number(in.variable(server, "WORKERS"), 1, 100, 1))
            .toList());
    in.check();
  }

  @Test
  void shouldTellAllFaultsInOneLine() {
    Settings in = new Settings(Map.of("W", "0", "B", "yes", "P", "70000")::get);
    in.number("W", 1, 1024, 16);
    in.flag("B", true);
    in.port("P", 8080);
    String message = assertThrows(SettingsException.class, in::check).getMessage();
    assertEquals(
        "W is '0': give a whole number from 1 to 1024; B is 'yes': it is one of true, false;"
            + " P is '70000': give a whole number from 1 to 65535",
        message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "c:1|SERVERS: no server is named 'c': it is one of a, b, b-c",
        "a|SERVERS: no port in 'a': write server:port with a port from 1 to 65535",
        "a:0|SERVERS: no port in 'a:0': write server:port with a port from 1 to 65535",
        "a:99999|SERVERS: no port in 'a:99999': write server:port with a port from 1 to 65535",
        "a:1,b:1|SERVERS: 'a:1,b:1' names a server or a port twice",
        "a:1,a:2|SERVERS: 'a:1,a:2' names a server or a port twice",
      })
  void shouldRefuseAListOfServersThatMakesNoSense(String list, String fault) {
    Settings in = new Settings(Map.of("SERVERS", list)::get);
    in.servers("SERVERS", "a:1", KNOWN);
    String said = assertThrows(SettingsException.class, in::check).getMessage();
    assertTrue(said.startsWith(fault), said);
  }
}
