package dev.ringside.contract;

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
}
