package dev.ringside.contract.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProfileRequestTest {
  @ParameterizedTest
  @CsvSource({
    "GET /profile?event=cpu&seconds=1 HTTP/1.1, CPU, 1",
    "GET /profile?seconds=600&event=wall HTTP/1.0, WALL, 600",
    "GET /profile?event=alloc&seconds=010 HTTP/1.1, ALLOC, 10",
    "GET /profile?event=lock&seconds=30 HTTP/1.1, LOCK, 30",
  })
  void shouldReadWhatIsAskedFor(String line, ProfileEvent event, int seconds) throws Exception {
    ProfileRequest request = ProfileRequest.parse(line);
    assertEquals(event, request.event());
    assertEquals(seconds, request.seconds());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/profile|event is '': it is one of cpu, alloc, lock, wall",
        "/profile?event=gpu&seconds=1|event is 'gpu': it is one of cpu, alloc, lock, wall",
        "/profile?event=CPU&seconds=1|event is 'CPU': it is one of cpu, alloc, lock, wall",
        "/profile?event=cpu|seconds is '': give a whole number from 1 to 600",
        "/profile?event=cpu&seconds=0|seconds is '0': give a whole number from 1 to 600",
        "/profile?event=cpu&seconds=601|seconds is '601': give a whole number from 1 to 600",
        "/profile?event=cpu&seconds=1.5|seconds is '1.5': give a whole number from 1 to 600",
        "/profile?event=cpu&seconds=99999999999|seconds is '99999999999': give",
        "/profile?event=cpu&seconds=1&seconds=2|seconds is there twice: give it once",
        "/profile?event=cpu&seconds=1&interval=1|there is no parameter 'interval': /profile takes",
        "/profile?event=cpu,file=/etc/passwd&seconds=1|event is 'cpu,file=/etc/passwd': it is",
      })
  void shouldRefuseParametersThatMakeNoSense(String target, String why) {
    assertRefused(400, why, "GET " + target + " HTTP/1.1");
  }

  @Test
  void shouldKnowOnePathAndOneMethod() {
    String query = "?event=cpu&seconds=1 HTTP/1.1";
    assertRefused(404, "there is nothing at /: ask for /profile", "GET /" + query);
    assertRefused(404, "there is nothing at /profile/: ask for /profile", "GET /profile/" + query);
    assertRefused(405, "/profile knows no POST: ask with GET", "POST /profile" + query);
    assertRefused(400, "this is no HTTP/1.1 request: ask with curl", "SSH-2.0-OpenSSH_9.2");
  }

  private static void assertRefused(int status, String why, String line) {
    Refusal refusal = assertThrows(Refusal.class, () -> ProfileRequest.parse(line));
    assertTrue(refusal.getMessage().startsWith(why), refusal.getMessage());
    assertEquals(status, refusal.status());
  }
}
