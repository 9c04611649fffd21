package dev.ringside.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.Locale;

/** Why an operation failed. The names are part of the summary and the same for all loads. */
public enum ErrorKind {
  /** The client's timeout for the connection or the answer expired. */
  TIMED_OUT,
  /** The connection was refused, or the host is unknown or has no route. */
  REFUSED,
  /** The connection was closed or reset before the answer arrived. */
  BROKEN,
  /**
   * The store reported that too few of its nodes are available, or that it is unavailable for now.
   */
  UNAVAILABLE,
  /** The store reported that too few of its nodes answered in time. */
  STORE_TIMED_OUT,
  /** The store reported another error. */
  STORE_FAILED,
  /** The answer was not the correct one. */
  WRONG,
  /** No connection was left. */
  UNCONNECTED,
  /** The cause is not known. */
  UNKNOWN;

  /** Returns the name in the summary. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the kind of error of an exception or of the first of its causes that has one. */
  public static ErrorKind of(Throwable fault) {
    for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
      ErrorKind kind =
          cause instanceof OperationFailedException
              ? ((OperationFailedException) cause).kind()
              : ofOne(cause);
      if (kind != UNKNOWN) {
        return kind;
      }
    }
    return UNKNOWN;
  }

  private static ErrorKind ofOne(Throwable fault) {
    if (fault instanceof SocketTimeoutException) {
      return TIMED_OUT;
    }
    if (fault instanceof ConnectException
        || fault instanceof NoRouteToHostException
        || fault instanceof PortUnreachableException
        || fault instanceof UnknownHostException) {
      return REFUSED;
    }
    if (fault instanceof SocketException
        || fault instanceof EOFException
        || fault instanceof ClosedChannelException
        || fault instanceof IOException && brokenBySystem(fault.getMessage())) {
      return BROKEN;
    }
    return UNKNOWN;
  }

  /**
   * Recognizes errors of the operating system for which Java's channels have no exception class.
   */
  private static boolean brokenBySystem(String message) {
    return "Broken pipe".equals(message) || "Connection reset by peer".equals(message);
  }
}
