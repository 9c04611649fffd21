package dev.ringside.http.load;

/**
 * The server answered, and the answer is wrong: one operation failed, the connection is as good as
 * before.
 */
final class WrongAnswerException extends Exception {
  private static final long serialVersionUID = 1;

  WrongAnswerException(String message) {
    super(message);
  }
}
