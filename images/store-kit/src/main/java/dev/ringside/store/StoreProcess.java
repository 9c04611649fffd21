package dev.ringside.store;

import java.io.PrintStream;
import java.util.Arrays;

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

  /** Asks a server at {@code host:port} whether it works. */
  public interface Check {
    /** Returns if it does. */
    void of(String server) throws Exception;
  }

  /**
   * Serves, or with the arguments {@code check host:port...} checks each server; the exit status,
   * after one line that says why it is not 0.
   */
  public static int run(String program, String[] args, Task serve, Check check, PrintStream err) {
    try {
      run(program, args, serve, check);
      return DONE;
    } catch (SettingsException e) {
      err.println(program + ": " + e.getMessage());
      return BAD_SETTINGS;
    } catch (Exception e) {
      err.println(program + ": " + e);
      return FAILED;
    }
  }

  private static void run(String program, String[] args, Task serve, Check check) throws Exception {
    if (args.length == 0) {
      serve.run();
    } else if (args[0].equals("check") && args.length > 1) {
      for (String server : Arrays.copyOfRange(args, 1, args.length)) {
        check.of(server);
        System.out.println(server + " ok");
      }
    } else {
      throw new SettingsException("usage: " + program + " [check host:port...]");
    }
  }
}
