package dev.ringside.http.load;

import dev.ringside.load.ErrorKind;
import dev.ringside.load.OperationFailedException;

/**
 * The server answered, and the answer is wrong: one operation failed, the connection is as good as
 * before.
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
