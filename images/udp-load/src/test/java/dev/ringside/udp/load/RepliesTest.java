package dev.ringside.udp.load;

import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class RepliesTest {
  private final Replies replies = new Replies();

  @Test
  void shouldTellALateAnswerFromASecondOne() {
    assertSame(Replies.LOST, replies.lost(3));
    replies.earlier(3); // timed out before
    replies.earlier(3); // again
    replies.earlier(2); // answered before
    assertSame(Replies.DUPLICATE, replies.answered());
    assertSame(Replies.DUPLICATE, replies.answered());
    assertSame(Replies.LATE, replies.answered());
    assertSame(Replies.ECHOED, replies.answered());
  }
}
