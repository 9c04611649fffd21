package dev.ringside.contract.profile;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The events that can be sampled. The names are those of async-profiler. */
enum ProfileEvent {
  /** CPU time. */
  CPU("ns"),
  /** Allocated bytes. */
  ALLOC("bytes"),
  /** Time of waiting for locks that other threads held. */
  LOCK("ns"),
  /** Elapsed time, whatever a thread does. */
  WALL("ns");

  private final String unit;

  ProfileEvent(String unit) {
    this.unit = unit;
  }

  /** Returns the unit of the stacks' counts. */
  String unit() {
    return unit;
  }

  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the event of that name.
   *
   * @throws Refusal if there is none
   */
  static ProfileEvent of(String id) throws Refusal {
    for (ProfileEvent event : values()) {
      if (event.id().equals(id)) {
        return event;
      }
    }
    String known = Arrays.stream(values()).map(ProfileEvent::id).collect(Collectors.joining(", "));
    throw new Refusal(Refusal.BAD_REQUEST, "event is '" + id + "': it is one of " + known);
  }
}
