package dev.ringside.cql.load;

import com.datastax.oss.driver.api.core.DriverException;
import dev.ringside.load.Client;
import dev.ringside.load.OperationFailedException;
import dev.ringside.load.Outcome;

/** Does one operation at a time. Shares its server's session with other clients. */
final class CqlClient implements Client {
  private static final Outcome WRITTEN = Outcome.answered("written");
  private static final Outcome READ = Outcome.answered("read");

  private final ArmSession arm;
  private final Orders orders;
  private final RowChoice choice;
  private final RowClient rows;
  private boolean closed;

  CqlClient(ArmSession arm, Orders orders, RowChoice choice, RowClient rows) {
    this.arm = arm;
    this.orders = orders;
    this.choice = choice;
    this.rows = rows;
  }

  @Override
  public Outcome operate(long number) throws OperationFailedException {
    try {
      return switch (orders.operation()) {
        case WRITE -> {
          rows.write(choice.inOrder(number));
          yield Outcome.DONE;
        }
        case READ -> {
          rows.read(choice.drawn(number));
          yield Outcome.DONE;
        }
        case MIXED -> mixed(choice.writesNext(), choice.drawn(number));
        case MULTIGET -> {
          rows.readAll(choice.several(number));
          yield Outcome.DONE;
        }
      };
    } catch (DriverException e) {
      throw CqlFault.of(e, orders.common().failsOver());
    }
  }

  private Outcome mixed(boolean writes, long row) throws OperationFailedException {
    if (writes) {
      rows.write(row);
      return WRITTEN;
    }
    rows.read(row);
    return READ;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      arm.disconnect();
    }
  }
}
