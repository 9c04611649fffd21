package dev.ringside.http.load;

import dev.ringside.load.ErrorKind;
import dev.ringside.load.OperationFailedException;

/**
 * Reports a wrong answer of the server. Only one operation failed; the connection can still be
 * used.
 */
final class WrongAnswerException extends OperationFailedException {
  private static final long serialVersionUID = 1;

  WrongAnswerException(String message) {
    this(ErrorKind.WRONG, message);
  }

  WrongAnswerException(ErrorKind kind, String message) {
    super(kind, message, null);
  }
}
