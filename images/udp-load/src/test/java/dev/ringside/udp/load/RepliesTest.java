package dev.ringside.udp.load;

import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class RepliesTest {
  private final Replies replies = new Replies();

  @Test
  void shouldTellALateAnswerFromASecondOne() {
    assertSame(Replies.LOST, replies.lost(3));
    replies.earlier(3); // the one that was given up
    replies.earlier(3); // the same again
    replies.earlier(2); // one that had been answered
    assertSame(Replies.DUPLICATE, replies.answered());
    assertSame(Replies.DUPLICATE, replies.answered());
    assertSame(Replies.LATE, replies.answered());
    assertSame(Replies.ECHOED, replies.answered());
  }
}
