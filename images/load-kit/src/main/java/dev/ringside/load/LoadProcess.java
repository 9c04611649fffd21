package dev.ringside.load;

import java.io.PrintStream;

/** How {@code /load} ends. */
public final class LoadProcess {
  /** The settings are invalid: a retry does not help. */
  public static final int BAD_ORDERS = 64;

  /** The load failed. */
  public static final int FAILED = 1;

  private static final int DONE = 0;

  private LoadProcess() {}

  /** The task of the process. */
  public interface Task {
    /** Runs the task to its end. */
    void run() throws Exception;
  }

  /**
   * Runs the task and returns the exit status. If it is not 0, one line on {@code err} has the
   * reason.
   */
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
