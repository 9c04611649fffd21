package dev.ringside.cassandra.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ringside.load.ConnectionLostException;
import dev.ringside.load.ErrorKind;
import dev.ringside.load.OperationFailedException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import org.apache.cassandra.thrift.InvalidRequestException;
import org.apache.cassandra.thrift.TimedOutException;
import org.apache.cassandra.thrift.UnavailableException;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.transport.TTransportException;
import org.junit.jupiter.api.Test;

class ThriftFaultTest {
  @Test
  void shouldKeepTheConnectionWhereTheStoreAnswered() {
    assertKept(ErrorKind.UNAVAILABLE, new UnavailableException());
    assertKept(ErrorKind.STORE_TIMED_OUT, new TimedOutException());
    assertKept(ErrorKind.STORE_FAILED, new InvalidRequestException("no such table"));
    assertKept(
        ErrorKind.STORE_FAILED,
        new TApplicationException(TApplicationException.INTERNAL_ERROR, "Internal error"));
  }

  @Test
  void shouldLoseTheConnectionWhereItCannotBeUsedAgain() {
    assertLost(ErrorKind.TIMED_OUT, ofTransport(new SocketTimeoutException("Read timed out")));
    assertLost(ErrorKind.REFUSED, ofTransport(new ConnectException("Connection refused")));
    assertLost(ErrorKind.BROKEN, ofTransport(new SocketException("Connection reset")));
    assertLost(ErrorKind.BROKEN, new TTransportException(TTransportException.END_OF_FILE));
    assertLost(ErrorKind.UNKNOWN, new TTransportException(TTransportException.NOT_OPEN));
    assertLost(ErrorKind.WRONG, new TProtocolException("a negative length"));
    assertLost(
        ErrorKind.WRONG,
        new TApplicationException(TApplicationException.BAD_SEQUENCE_ID, "out of sequence"));
  }

  private static TTransportException ofTransport(Exception cause) {
    return new TTransportException(TTransportException.UNKNOWN, cause);
  }

  private static void assertKept(ErrorKind kind, TException fault) {
    assertFault(OperationFailedException.class, kind, fault);
  }

  private static void assertLost(ErrorKind kind, TException fault) {
    assertFault(ConnectionLostException.class, kind, fault);
  }

  private static void assertFault(Class<?> type, ErrorKind kind, TException fault) {
    OperationFailedException seen = ThriftFault.of(fault);
    assertEquals(type, seen.getClass(), fault.toString());
    assertEquals(kind, seen.kind(), fault.toString());
  }
}
