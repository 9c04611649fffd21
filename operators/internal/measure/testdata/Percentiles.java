import java.io.File;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/**
 * Prints what HdrHistogram's Java library reads from interval logs: one line per tag over all files, the count and the
 * values in nanoseconds at the percentiles that a measurement shows. Run without compiling:
 *
 * <pre>java -cp HdrHistogram-2.2.2.jar Percentiles.java log...</pre>
 */
public final class Percentiles {
  public static void main(String[] files) throws Exception {
    Map<String, Histogram> totals = new TreeMap<>();
    for (String file : files) {
      HistogramLogReader reader = new HistogramLogReader(new File(file));
      EncodableHistogram next;
      while ((next = reader.nextIntervalHistogram()) != null) {
        Histogram interval = (Histogram) next;
        totals.computeIfAbsent(String.valueOf(next.getTag()), tag -> new Histogram(3)).add(interval);
      }
    }
    for (Map.Entry<String, Histogram> entry : totals.entrySet()) {
      Histogram h = entry.getValue();
      StringBuilder line = new StringBuilder(entry.getKey()).append(' ').append(h.getTotalCount());
      for (double percentile : new double[] {50, 95, 99, 99.9, 100}) {
        line.append(' ').append(h.getValueAtPercentile(percentile));
      }
      System.out.println(line);
    }
  }
}
