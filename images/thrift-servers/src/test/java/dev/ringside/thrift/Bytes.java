package dev.ringside.thrift;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Creates payloads for tests. */
final class Bytes {
  private Bytes() {}

  static byte[] of(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static byte[] random(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
