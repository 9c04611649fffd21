package dev.ringside.http.load;

import java.io.IOException;

/** An answer that this load cannot read. */
final class MalformedAnswerException extends IOException {
  private static final long serialVersionUID = 1;

  MalformedAnswerException(String message) {
    super(message);
  }
}
