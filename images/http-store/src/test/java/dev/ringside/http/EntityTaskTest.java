package dev.ringside.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import one.nio.http.HttpSession;
import one.nio.http.Request;
import one.nio.http.Response;
import org.junit.jupiter.api.Test;

class EntityTaskTest {
  private final List<Response> answers = new ArrayList<>();

  /**
   * Without an answer, the client would wait forever, and an inline hand-off would block its
   * selector.
   */
  @Test
  void shouldAnswerThoughThereIsAnError() {
    Request request =
        new Request(Request.METHOD_GET, "/v0/entity?id=a", true) {
          @Override
          public String getParameter(String key) {
            throw new InternalError("a fault in mapped memory");
          }
        };
    HttpSession session =
        new HttpSession(null, null) {
          @Override
          public void sendResponse(Response response) {
            answers.add(response);
          }
        };
    new EntityTask(null, request, session, new LongAdder()).run();
    assertEquals(1, answers.size());
    assertEquals(500, answers.get(0).getStatus());
  }
}
