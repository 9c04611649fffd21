import java.io.PrintStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** Writes the log of a load that went round between two servers, one of which answered nothing in its second window. */
public class Turns {
  public static void main(String[] args) throws Exception {
    long start = 1795221583000L;
    try (PrintStream out = new PrintStream(args[0])) {
      HistogramLogWriter writer = new HistogramLogWriter(out);
      writer.outputLogFormatVersion();
      writer.outputStartTime(start);
      writer.outputBaseTime(0);
      writer.outputLegend();
      for (int block = 0; block < 3; block++) {
        for (String arm : new String[] {"hsha", "xedin"}) {
          for (String kind : new String[] {"st", "rt", "wt"}) {
            Histogram histogram = new Histogram(3_600_000_000_000L, 3);
            boolean first = arm.equals("hsha");
            if (first || block != 1) {
              histogram.recordValueWithCount(1_000_000, first ? 20 : 10);
            }
            histogram.setTag(arm + "/READ-" + kind);
            histogram.setStartTimeStamp(start + block * 2000L + (first ? 0 : 1000));
            histogram.setEndTimeStamp(histogram.getStartTimeStamp() + 800);
            writer.outputIntervalHistogram(histogram);
          }
        }
      }
    }
  }
}
