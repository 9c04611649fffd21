package dev.ringside.bench.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Encodes a histogram as one word: HdrHistogram's compressed encoding (V2) in base64. */
public final class HistogramText {
  private HistogramText() {}

  /** Returns the word of a histogram. */
  public static String of(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }

  /**
   * Decodes the result of {@link #of}.
   *
   * @throws IllegalArgumentException if it is not a histogram
   */
  public static Histogram parse(String word) {
    try {
      return Histogram.decodeFromCompressedByteBuffer(
          ByteBuffer.wrap(Base64.getDecoder().decode(word)), 0);
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("no histogram: " + word, e);
    }
  }
}
