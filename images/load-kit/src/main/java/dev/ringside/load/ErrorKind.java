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

/** Why an operation failed. The names are part of the summary, and the same for all loads. */
public enum ErrorKind {
  /** No connection, or no answer, came in the time that the client had for it. */
  TIMED_OUT,
  /** Nobody took the connection, or there was no way there. */
  REFUSED,
  /** The connection ended or was reset before the answer was there. */
  BROKEN,
  /** The store said that too few of its nodes were there for it, or that it could not now. */
  UNAVAILABLE,
  /** The store said that too few of its nodes had answered it in time. */
  STORE_TIMED_OUT,
  /** The store said that it failed, for any other reason. */
  STORE_FAILED,
  /** There was an answer, and it was not the right one. */
  WRONG,
  /** There was no connection left to ask on. */
  UNCONNECTED,
  /** The load cannot tell. */
  UNKNOWN;

  /** As it stands in the summary. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What an exception, or what it was caused by, says of it. */
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

  /** What Java's channels pass on from the system, in an exception that has no class of its own. */
  private static boolean brokenBySystem(String message) {
    return "Broken pipe".equals(message) || "Connection reset by peer".equals(message);
  }
}
