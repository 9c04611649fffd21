package dev.ringside.cql.load.profile;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.UUID;

/** The types of columns, with values that follow from a number (the identity) and a size. */
enum ColumnType {
  ASCII {
    @Override
    Object value(long identity, int size) {
      return letters(identity, size);
    }
  },
  TEXT {
    @Override
    Object value(long identity, int size) {
      return letters(identity, size);
    }
  },
  VARCHAR {
    @Override
    Object value(long identity, int size) {
      return letters(identity, size);
    }
  },
  BLOB {
    @Override
    Object value(long identity, int size) {
      byte[] bytes = new byte[size];
      new SplittableRandom(identity).nextBytes(bytes);
      return ByteBuffer.wrap(bytes);
    }
  },
  BIGINT {
    @Override
    Object value(long identity, int size) {
      return identity;
    }
  },
  INT {
    @Override
    Object value(long identity, int size) {
      return (int) identity;
    }
  },
  SMALLINT {
    @Override
    Object value(long identity, int size) {
      return (short) identity;
    }
  },
  TINYINT {
    @Override
    Object value(long identity, int size) {
      return (byte) identity;
    }
  },
  VARINT {
    @Override
    Object value(long identity, int size) {
      return BigInteger.valueOf(identity);
    }
  },
  DECIMAL {
    @Override
    Object value(long identity, int size) {
      return BigDecimal.valueOf(identity);
    }
  },
  BOOLEAN {
    @Override
    Object value(long identity, int size) {
      return identity % 2 == 0;
    }
  },
  DOUBLE {
    @Override
    Object value(long identity, int size) {
      return (double) identity;
    }
  },
  FLOAT {
    @Override
    Object value(long identity, int size) {
      return (float) identity;
    }
  },
  UUID {
    @Override
    Object value(long identity, int size) {
      return new UUID(new SplittableRandom(identity).nextLong() & ~0xf000L | 0x4000L, identity);
    }
  },
  TIMEUUID {
    @Override
    Object value(long identity, int size) {
      // The low 32 bits of the time come first, then 16 and 12 bits, with the version between.
      long time = identity << 32 | identity >>> 16 & 0xffff0000L | identity >>> 48 & 0xfffL;
      return new UUID(time | 0x1000L, Long.MIN_VALUE);
    }
  },
  TIMESTAMP {
    @Override
    Object value(long identity, int size) {
      return Instant.ofEpochMilli(identity);
    }
  },
  DATE {
    @Override
    Object value(long identity, int size) {
      return LocalDate.ofEpochDay(identity % DAYS);
    }
  },
  INET {
    @Override
    Object value(long identity, int size) {
      try {
        return InetAddress.getByAddress(
            ByteBuffer.allocate(Integer.BYTES).putInt((int) identity).array());
      } catch (UnknownHostException e) {
        throw new IllegalStateException("four bytes are an address", e);
      }
    }
  };

  private static final long DAYS = 100_000;
  private static final int FIRST_LETTER = ' ' + 1;
  private static final int AFTER_LAST_LETTER = '~' + 1;

  /** Returns the value with that identity; the size counts for text and blobs only. */
  abstract Object value(long identity, int size);

  private static String letters(long identity, int size) {
    SplittableRandom random = new SplittableRandom(identity);
    StringBuilder letters = new StringBuilder(size);
    for (int i = 0; i < size; i++) {
      letters.append((char) random.nextInt(FIRST_LETTER, AFTER_LAST_LETTER));
    }
    return letters.toString();
  }

  private String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  static List<String> ids() {
    return Arrays.stream(values()).map(ColumnType::id).toList();
  }

  /** Returns the type of that name; null for an unknown one. */
  static ColumnType of(String id) {
    return Arrays.stream(values()).filter(each -> each.id().equals(id)).findFirst().orElse(null);
  }
}
