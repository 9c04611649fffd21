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

/** What Thrift's and Cassandra's exceptions mean for an operation and for its connection. */
final class ThriftFault {
  private ThriftFault() {}

  /** As the load counts it. */
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
    // Where a read finds the end, libthrift has no cause to pass on.
    return told == ErrorKind.UNKNOWN && fault.getType() != TTransportException.NOT_OPEN
        ? ErrorKind.BROKEN
        : told;
  }

  private static boolean losesConnection(TException fault) {
    return fault instanceof TTransportException
        || fault instanceof TProtocolException
        || isOfAnotherRequest(fault);
  }

  /** A reply to another request: what comes next cannot be told. */
  private static boolean isOfAnotherRequest(TException fault) {
    return fault instanceof TApplicationException
        && ((TApplicationException) fault).getType() != TApplicationException.INTERNAL_ERROR;
  }
}
