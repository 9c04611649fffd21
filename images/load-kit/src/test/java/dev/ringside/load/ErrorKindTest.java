package dev.ringside.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ErrorKindTest {
  @Test
  void shouldTellFromAnExceptionWhyAnOperationFailed() {
    Map<Throwable, ErrorKind> faults = new LinkedHashMap<>();
    faults.put(new SocketTimeoutException("Read timed out"), ErrorKind.TIMED_OUT);
    faults.put(new ConnectException("Connection refused"), ErrorKind.REFUSED);
    faults.put(new NoRouteToHostException(), ErrorKind.REFUSED);
    faults.put(new UnknownHostException("h"), ErrorKind.REFUSED);
    faults.put(new PortUnreachableException(), ErrorKind.REFUSED);
    faults.put(new SocketException("Connection reset"), ErrorKind.BROKEN);
    faults.put(new IOException("Broken pipe"), ErrorKind.BROKEN);
    faults.put(new ClosedChannelException(), ErrorKind.BROKEN);
    faults.put(new EOFException(), ErrorKind.BROKEN);
    faults.put(new IOException("something else"), ErrorKind.UNKNOWN);
    faults.put(new IllegalStateException(), ErrorKind.UNKNOWN);
    faults.put(new RuntimeException(new SocketTimeoutException()), ErrorKind.TIMED_OUT);
    faults.put(
        new OperationFailedException(ErrorKind.WRONG, "it says otherwise", new EOFException()),
        ErrorKind.WRONG);
    faults.put(new ConnectionLostException("lost", new EOFException()), ErrorKind.BROKEN);
    faults.put(new ConnectionLostException("lost", null), ErrorKind.UNKNOWN);
    faults.forEach((fault, kind) -> assertEquals(kind, ErrorKind.of(fault), fault.toString()));
  }
}
