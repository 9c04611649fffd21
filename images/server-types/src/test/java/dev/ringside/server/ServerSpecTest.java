package dev.ringside.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServerSpecTest {
  @Test
  void shouldGiveEachServerThePortOfItsPlace() {
    assertEquals(
        "[disruptor:9160, hsha:9161, xedin:9999, simple:9163]",
        ServerSpec.parseList("disruptor, hsha,xedin:9999,simple", 9160).toString());
  }

  @Test
  void shouldTakeAFurtherServerOfATypeByItsName() {
    List<ServerSpec> specs = ServerSpec.parseList("hsha,hsha-again,hsha-slowed-more:9999", 9160);
    assertEquals("[hsha:9160, hsha-again:9161, hsha-slowed-more:9999]", specs.toString());
    specs.forEach(spec -> assertEquals(ServerType.HSHA, spec.type()));
    assertEquals("hsha-again", specs.get(1).name());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "turbo | unknown server type 'turbo': use one of simple, nonblocking, hsha, threadedselector",
        "hsha,,xedin | empty server type in 'hsha,,xedin': use one of simple, nonblocking, hsha",
        "hsha,hsha | server 'hsha' is named twice in 'hsha,hsha'",
        "hsha-a,hsha-a | server 'hsha-a' is named twice in 'hsha-a,hsha-a'",
        "turbo-again | unknown server type 'turbo': use one of",
        "hsha- | no valid server name in 'hsha-'",
        "hsha-A | no valid server name in 'hsha-A'",
        "hsha:9161,xedin | port 9161 is given to both 'hsha' and 'xedin' in 'hsha:9161,xedin'",
        "hsha:http | no valid port in 'hsha:http': write type:port with a port from 1 to 65535",
        "hsha:70000 | no valid port in 'hsha:70000'",
      })
  void shouldNameTheFaultInOneLine(String list, String message) {
    String said =
        assertThrows(IllegalArgumentException.class, () -> ServerSpec.parseList(list, 9160))
            .getMessage();
    assertTrue(said.startsWith(message), said);
  }
}
