package dev.ringside.cassandra;

import java.io.ByteArrayOutputStream;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;

/**
 * Reads from another transport and keeps what was read. It hands out no buffer: whatever kind of
 * transport a server gives its processor, every byte passes here.
 */
final class RecordingTransport extends TTransport {
  private final TTransport source;
  private final ByteArrayOutputStream record;

  RecordingTransport(TTransport source, ByteArrayOutputStream record) {
    this.source = source;
    this.record = record;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws TTransportException {
    int count = source.read(buffer, offset, length);
    if (count > 0) {
      record.write(buffer, offset, count);
    }
    return count;
  }

  @Override
  public boolean isOpen() {
    return source.isOpen();
  }

  @Override
  public void open() {
    throw new UnsupportedOperationException("it is open as long as what it reads from");
  }

  @Override
  public void close() {
    // The server's to close.
  }

  @Override
  public void write(byte[] buffer, int offset, int length) {
    throw new UnsupportedOperationException("for reading only");
  }
}
