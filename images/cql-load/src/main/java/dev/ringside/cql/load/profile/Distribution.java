package dev.ringside.cql.load.profile;

import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A distribution of whole numbers in the notation of cassandra-stress.
 *
 * @param shape how likely the numbers are
 * @param min the least number
 * @param max the greatest number
 * @param mean mean of a normal distribution
 * @param deviation standard deviation of a normal distribution
 */
record Distribution(Shape shape, long min, long max, double mean, double deviation) {
  /** What is supported, for messages. */
  static final String SUPPORTED =
      "use FIXED(n), UNIFORM(a..b), GAUSSIAN(a..b), EXP(a..b) or SEQ(a..b)";

  private static final double DEVIATIONS_TO_LIMIT = 3;
  private static final String NUMBER = "([0-9]{1,12}[kmb]?)";
  private static final Pattern FORM =
      Pattern.compile(
          "([a-z]+)\\(\\s*"
              + NUMBER
              + "\\s*(?:\\.\\.\\s*"
              + NUMBER
              + "\\s*)?(?:,\\s*([0-9.]+)\\s*)?(?:,\\s*([0-9.]+)\\s*)?\\)");

  /** The shapes of distributions. */
  enum Shape {
    FIXED,
    UNIFORM,
    GAUSSIAN,
    EXP,
    SEQ
  }

  /** Returns the distribution that always gives that number. */
  static Distribution fixed(long number) {
    return new Distribution(Shape.FIXED, number, number, 0, 0);
  }

  /** Returns the distribution in which all numbers are equally likely. */
  static Distribution uniform(long min, long max) {
    return new Distribution(Shape.UNIFORM, min, max, 0, 0);
  }

  /**
   * Parses the notation of cassandra-stress.
   *
   * @throws IllegalArgumentException if it is no distribution, or none that is supported
   */
  static Distribution of(String text) {
    Matcher form = FORM.matcher(text.trim().toLowerCase(Locale.ROOT));
    if (!form.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not supported: " + SUPPORTED);
    }
    Shape shape = shape(form.group(1));
    boolean range = form.group(3) != null;
    boolean shaped = form.group(4) != null;
    if (shape == null || range == (shape == Shape.FIXED) || shaped && shape != Shape.GAUSSIAN) {
      throw new IllegalArgumentException("'" + text + "' is not supported: " + SUPPORTED);
    }
    long min = number(form.group(2));
    long max = range ? number(form.group(3)) : min;
    if (min > max) {
      throw new IllegalArgumentException("'" + text + "' is empty: swap its bounds");
    }
    if (shape != Shape.GAUSSIAN) {
      return new Distribution(shape, min, max, 0, 0);
    }
    double middle = (min + max) / 2d;
    double first = shaped ? Double.parseDouble(form.group(4)) : DEVIATIONS_TO_LIMIT;
    if (form.group(5) != null) {
      return new Distribution(shape, min, max, first, Double.parseDouble(form.group(5)));
    }
    return new Distribution(shape, min, max, middle, (middle - min) / first);
  }

  private static Shape shape(String name) {
    return switch (name) {
      case "fixed" -> Shape.FIXED;
      case "uniform" -> Shape.UNIFORM;
      case "gaussian", "gauss", "normal", "norm" -> Shape.GAUSSIAN;
      case "exp", "exponential" -> Shape.EXP;
      case "seq" -> Shape.SEQ;
      default -> null;
    };
  }

  private static long number(String text) {
    int last = text.length() - 1;
    long unit =
        switch (text.charAt(last)) {
          case 'k' -> 1_000;
          case 'm' -> 1_000_000;
          case 'b' -> 1_000_000_000;
          default -> 1;
        };
    return unit == 1 ? Long.parseLong(text) : Long.parseLong(text.substring(0, last)) * unit;
  }

  /**
   * Draws a number.
   *
   * @param index position in a sequence, from 0
   */
  long draw(RandomGenerator random, long index) {
    return switch (shape) {
      case FIXED -> min;
      case UNIFORM -> random.nextLong(min, max + 1);
      case GAUSSIAN -> bound(Math.round(mean + deviation * random.nextGaussian()));
      case EXP -> bound(min + (long) (exponentialMean() * random.nextExponential()));
      case SEQ -> min + index % (max - min + 1);
    };
  }

  /** As in cassandra-stress: few numbers reach the upper bound. */
  private double exponentialMean() {
    double range = max - min;
    return range < 2 ? range : range / (Math.log(range) / 2);
  }

  private long bound(long drawn) {
    return Math.max(min, Math.min(max, drawn));
  }
}
