package dev.ringside.http.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes requests. For one connection. */
final class Requests {
  private final Population population;
  private final boolean withValue;
  private final byte[] head;
  private final byte[] tail;
  private final ByteBuffer out;

  Requests(Orders orders, Population population, String host) {
    this.population = population;
    withValue = orders.operation() == Operation.WRITE;
    head = ascii(orders.operation().method() + " /v0/entity?id=");
    tail =
        ascii(
            " HTTP/1.1\r\nHost: "
                + host
                + "\r\n"
                + (withValue ? "Content-Length: " + orders.valueSize() + "\r\n" : "")
                + "\r\n");
    int size = head.length + Population.ID_LENGTH + tail.length + orders.valueSize();
    out = ByteBuffer.allocate(size);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the request for an entity in a buffer that the next call overwrites. */
  ByteBuffer of(long number) {
    out.clear().put(head);
    population.putId(number, out);
    out.put(tail);
    if (withValue) {
      population.putValue(number, out);
    }
    return out.flip();
  }
}
