package dev.ringside.contract;

import java.util.Optional;

/** A task of maintenance that a store's node carries out on request, such as a repair. */
public interface MaintenanceTask {
  /**
   * Carries out the task and returns at its end.
   *
   * @throws Exception if the task failed, or was stopped
   */
  void run() throws Exception;

  /**
   * Makes {@link #run} end early. It is called on another thread, again and again until the run has
   * ended, and may come when it has just begun or just ended.
   *
   * @throws Exception if the task cannot be stopped
   */
  void stop() throws Exception;

  /**
   * Returns what ends the process, so that it starts again, if a {@link #run} that succeeded needs
   * that; empty by default. It is run when the client was told, or is gone.
   */
  default Optional<Runnable> restart() {
    return Optional.empty();
  }
}
