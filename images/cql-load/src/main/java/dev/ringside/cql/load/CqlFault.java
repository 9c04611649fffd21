package dev.ringside.cql.load;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.connection.HeartbeatException;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import dev.ringside.load.ConnectionLostException;
import dev.ringside.load.ErrorKind;
import dev.ringside.load.OperationFailedException;
import java.util.List;

/** Translates exceptions of the driver into failures of an operation or its connection. */
final class CqlFault {
  private CqlFault() {}

  /**
   * Returns the exception for the load.
   *
   * @param failsOver whether nodes are lost on purpose, and the driver connects again
   */
  static OperationFailedException of(DriverException fault, boolean failsOver) {
    ErrorKind kind = kindOf(fault);
    return kind == ErrorKind.UNCONNECTED && !failsOver
        ? new ConnectionLostException(kind, text(fault), fault)
        : new OperationFailedException(kind, text(fault), fault);
  }

  private static ErrorKind kindOf(Throwable fault) {
    if (fault instanceof DriverTimeoutException) {
      return ErrorKind.TIMED_OUT;
    }
    if (fault instanceof UnavailableException
        || fault instanceof OverloadedException
        || fault instanceof BootstrappingException) {
      return ErrorKind.UNAVAILABLE;
    }
    if (fault instanceof ReadTimeoutException || fault instanceof WriteTimeoutException) {
      return ErrorKind.STORE_TIMED_OUT;
    }
    if (fault instanceof CoordinatorException) {
      return ErrorKind.STORE_FAILED;
    }
    if (fault instanceof ClosedConnectionException || fault instanceof HeartbeatException) {
      return ErrorKind.BROKEN;
    }
    if (fault instanceof BusyConnectionException) {
      return ErrorKind.UNKNOWN;
    }
    if (fault instanceof NoNodeAvailableException || fault instanceof NodeUnavailableException) {
      return ErrorKind.UNCONNECTED;
    }
    if (fault instanceof AllNodesFailedException all) {
      return kindOf(all);
    }
    return ErrorKind.of(fault);
  }

  /** Returns the kind of the last node's failure: no node came after it. */
  private static ErrorKind kindOf(AllNodesFailedException fault) {
    ErrorKind kind = ErrorKind.UNCONNECTED;
    for (List<Throwable> ofNode : fault.getAllErrors().values()) {
      for (Throwable each : ofNode) {
        kind = kindOf(each);
      }
    }
    return kind;
  }

  /** Returns the failure in one line. */
  static String text(DriverException fault) {
    return fault.toString().lines().findFirst().orElse("");
  }
}
