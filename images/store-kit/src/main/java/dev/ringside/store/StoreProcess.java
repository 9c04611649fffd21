package dev.ringside.store;

import java.io.PrintStream;

/** How a store's process ends. */
public final class StoreProcess {
  /** The settings make no sense: trying again will not help. */
  public static final int BAD_SETTINGS = 64;

  /** The store failed. */
  public static final int FAILED = 1;

  private static final int DONE = 0;

  private StoreProcess() {}

  /** What the process is there for. */
  public interface Task {
    /** Returns when it is done. */
    void run() throws Exception;
  }

  /** Runs the task; the exit status, after one line that says why it is not 0. */
  public static int run(String program, Task task, PrintStream err) {
    try {
      task.run();
      return DONE;
    } catch (SettingsException e) {
      err.println(program + ": " + e.getMessage());
      return BAD_SETTINGS;
    } catch (Exception e) {
      err.println(program + ": " + e);
      return FAILED;
    }
  }
}
