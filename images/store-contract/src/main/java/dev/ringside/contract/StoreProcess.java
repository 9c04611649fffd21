package dev.ringside.contract;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Arrays;

/** Runs a store's process and returns its exit status. */
public final class StoreProcess {
  /** The settings are invalid: a retry does not help. */
  public static final int BAD_SETTINGS = 64;

  /** The store failed. */
  public static final int FAILED = 1;

  private static final int DONE = 0;

  /**
   * How long a failing check is repeated. The check runs in a new pod, and where network policies
   * are enforced, its connections are blocked until its address is known everywhere.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration PAUSE = Duration.ofMillis(500);

  private StoreProcess() {}

  /** The task of the process. */
  public interface Task {
    /**
     * Runs the task to its end.
     *
     * @throws IllegalArgumentException with a message of one line if a setting is invalid
     */
    void run() throws Exception;
  }

  /** Checks whether a server at {@code host:port} works. */
  public interface Check {
    /**
     * Returns if the server works.
     *
     * @throws IllegalArgumentException with a message of one line if the name of the server is
     *     invalid
     */
    void of(String server) throws Exception;
  }

  /**
   * Serves; or, with the arguments {@code check host:port...}, checks each server, and repeats a
   * failing check for some seconds. Returns the exit status. If it is not 0, one line on {@code
   * err} has the reason.
   */
  public static int run(String program, String[] args, Task serve, Check check, PrintStream err) {
    return run(program, args, serve, check, err, PATIENCE);
  }

  /**
   * Does the same as {@link #run(String, String[], Task, Check, PrintStream)}.
   *
   * @param patience how long a failing check is repeated
   */
  public static int run(
      String program, String[] args, Task serve, Check check, PrintStream err, Duration patience) {
    try {
      run(program, args, serve, check, patience);
      return DONE;
    } catch (Exception e) {
      boolean isSaid = makesNoSense(e) || e.getClass() == IOException.class;
      err.println(program + ": " + (isSaid ? e.getMessage() : e));
      return makesNoSense(e) ? BAD_SETTINGS : FAILED;
    }
  }

  private static void run(String program, String[] args, Task serve, Check check, Duration patience)
      throws Exception {
    if (args.length == 0) {
      serve.run();
    } else if (args[0].equals("check") && args.length > 1) {
      for (String server : Arrays.copyOfRange(args, 1, args.length)) {
        check(check, server, System.nanoTime() + patience.toNanos());
        System.out.println(server + " ok");
      }
    } else {
      throw new IllegalArgumentException("usage: " + program + " [check host:port...]");
    }
  }

  /**
   * Reports whether a setting is invalid. Java reports a host name that is not known (yet) as an
   * invalid argument too.
   */
  private static boolean makesNoSense(Exception e) {
    return e instanceof IllegalArgumentException && !(e instanceof UnresolvedAddressException);
  }

  private static void check(Check check, String server, long deadline) throws Exception {
    while (true) {
      try {
        check.of(server);
        return;
      } catch (Exception e) {
        if (makesNoSense(e) || System.nanoTime() - deadline >= 0) {
          throw e;
        }
        Thread.sleep(PAUSE.toMillis());
      }
    }
  }
}
