package dev.ringside.contract;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Arrays;

/** How a store's process ends. */
public final class StoreProcess {
  /** The settings make no sense: trying again will not help. */
  public static final int BAD_SETTINGS = 64;

  /** The store failed. */
  public static final int FAILED = 1;

  private static final int DONE = 0;

  /**
   * How long a server may be asked in vain: who asks is a pod that was just made, and where network
   * policies are enforced nobody lets it in before its address is known everywhere.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration PAUSE = Duration.ofMillis(500);

  private StoreProcess() {}

  /** What the process is there for. */
  public interface Task {
    /**
     * Returns when it is done.
     *
     * @throws IllegalArgumentException with one line if a setting makes no sense
     */
    void run() throws Exception;
  }

  /** Asks a server at {@code host:port} whether it works. */
  public interface Check {
    /**
     * Returns if it does.
     *
     * @throws IllegalArgumentException with one line if that is no server's name
     */
    void of(String server) throws Exception;
  }

  /**
   * Serves, or with the arguments {@code check host:port...} checks each server, again for some
   * seconds where that fails; the exit status, after one line that says why it is not 0.
   */
  public static int run(String program, String[] args, Task serve, Check check, PrintStream err) {
    return run(program, args, serve, check, err, PATIENCE);
  }

  static int run(
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

  /** A name that is not known yet is no bad setting, though Java takes it for a bad argument. */
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
