package dev.ringside.cql.load;

import dev.ringside.load.OperationFailedException;
import dev.ringside.load.Outcome;

/** Operations on the rows of cassandra-stress. */
final class RowTask implements Task {
  private static final Outcome WRITTEN = Outcome.answered("written");
  private static final Outcome READ = Outcome.answered("read");

  private final Operation operation;
  private final RowChoice choice;
  private final RowClient rows;

  RowTask(Operation operation, RowChoice choice, RowClient rows) {
    this.operation = operation;
    this.choice = choice;
    this.rows = rows;
  }

  @Override
  public Outcome run(long number) throws OperationFailedException {
    switch (operation) {
      case WRITE -> rows.write(choice.inOrder(number));
      case READ -> rows.read(choice.drawn(number));
      case MULTIGET -> rows.readAll(choice.several(number));
      case MIXED -> {
        return mixed(choice.writesNext(), choice.drawn(number));
      }
      case USER -> throw new IllegalStateException("a profile has its own tasks");
    }
    return Outcome.DONE;
  }

  private Outcome mixed(boolean writes, long row) throws OperationFailedException {
    if (writes) {
      rows.write(row);
      return WRITTEN;
    }
    rows.read(row);
    return READ;
  }
}
