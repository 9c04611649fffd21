package dev.ringside.http.load;

import java.io.IOException;

/** Reports an answer that this load cannot parse. */
final class MalformedAnswerException extends IOException {
  private static final long serialVersionUID = 1;

  MalformedAnswerException(String message) {
    super(message);
  }
}
