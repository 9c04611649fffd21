package dev.ringside.load;

import java.io.PrintStream;

/** How {@code /load} ends. */
public final class LoadProcess {
  /** The orders make no sense: trying again will not help. */
  public static final int BAD_ORDERS = 64;

  /** The load failed. */
  public static final int FAILED = 1;

  private static final int DONE = 0;

  private LoadProcess() {}

  /** What the process is there for. */
  public interface Task {
    /** Returns when it is done. */
    void run() throws Exception;
  }

  /** Runs the task; the exit status, after one line that says why it is not 0. */
  public static int run(Task task, PrintStream err) {
    try {
      task.run();
      return DONE;
    } catch (OrdersException e) {
      err.println("/load: " + e.getMessage());
      return BAD_ORDERS;
    } catch (LoadFailedException e) {
      err.println("/load: " + e.getMessage());
      return FAILED;
    } catch (Exception e) {
      err.println("/load: " + e);
      return FAILED;
    }
  }
}
