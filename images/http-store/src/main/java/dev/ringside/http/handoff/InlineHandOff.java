package dev.ringside.http.handoff;

/**
 * Answers each request on its selector, without a hand-off. The difference between another type and
 * this one is the cost of that hand-off.
 */
final class InlineHandOff implements HandOff {
  @Override
  public void give(Task task) {
    task.run();
  }

  @Override
  public long waiting() {
    return 0;
  }

  @Override
  public Object essence() {
    return this;
  }

  @Override
  public void close() {
    // There are no threads to end.
  }
}
