package dev.ringside.cql.load;

import dev.ringside.load.OrderSource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ratio of writes to reads in a mixed phase.
 *
 * @param writes share of writes
 * @param reads share of reads
 */
record Ratio(int writes, int reads) {
  private static final Pattern FORM =
      Pattern.compile("write=([1-9][0-9]{0,5}),read=([1-9][0-9]{0,5})");
  private static final Ratio EVEN = new Ratio(1, 1);

  /** Reads the ratio. Errors are added to the source. */
  static Ratio of(OrderSource in) {
    String name = OrderSource.parameter("ratio");
    String text = in.text(name, "write=1,read=1");
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      in.refuse(String.format("%s is '%s': write it as in write=1,read=3", name, text));
      return EVEN;
    }
    return new Ratio(Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2)));
  }

  int sum() {
    return writes + reads;
  }
}
