package dev.ringside.cassandra.load;

import dev.ringside.load.ConnectionLostException;
import dev.ringside.load.ErrorKind;
import dev.ringside.load.OperationFailedException;
import org.apache.cassandra.thrift.TimedOutException;
import org.apache.cassandra.thrift.UnavailableException;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.transport.TTransportException;

/**
 * Translates exceptions of Thrift and Cassandra into failures of an operation or its connection.
 */
final class ThriftFault {
  private ThriftFault() {}

  /** Returns the exception for the load. */
  static OperationFailedException of(TException fault) {
    ErrorKind kind = kindOf(fault);
    return losesConnection(fault)
        ? new ConnectionLostException(kind, fault.toString(), fault)
        : new OperationFailedException(kind, fault.toString(), fault);
  }

  private static ErrorKind kindOf(TException fault) {
    if (fault instanceof TTransportException) {
      return transportKind((TTransportException) fault);
    }
    if (fault instanceof UnavailableException) {
      return ErrorKind.UNAVAILABLE;
    }
    if (fault instanceof TimedOutException) {
      return ErrorKind.STORE_TIMED_OUT;
    }
    boolean wrong = fault instanceof TProtocolException || isOfAnotherRequest(fault);
    return wrong ? ErrorKind.WRONG : ErrorKind.STORE_FAILED;
  }

  private static ErrorKind transportKind(TTransportException fault) {
    ErrorKind told = ErrorKind.of(fault);
    // At the end of a stream libthrift's exception has no cause.
    return told == ErrorKind.UNKNOWN && fault.getType() != TTransportException.NOT_OPEN
        ? ErrorKind.BROKEN
        : told;
  }

  private static boolean losesConnection(TException fault) {
    return fault instanceof TTransportException
        || fault instanceof TProtocolException
        || isOfAnotherRequest(fault);
  }

  /**
   * Reports whether the reply belongs to another request. Later replies cannot be attributed then.
   */
  private static boolean isOfAnotherRequest(TException fault) {
    return fault instanceof TApplicationException
        && ((TApplicationException) fault).getType() != TApplicationException.INTERNAL_ERROR;
  }
}
