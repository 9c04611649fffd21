package dev.ringside.contract.profile;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What is sampled, by the names that async-profiler has for it too. */
enum ProfileEvent {
  /** CPU time. */
  CPU("ns"),
  /** Bytes allocated. */
  ALLOC("bytes"),
  /** Waiting for locks that other threads held. */
  LOCK("ns"),
  /** Time, whatever a thread did or waited for. */
  WALL("ns");

  private final String unit;

  ProfileEvent(String unit) {
    this.unit = unit;
  }

  /** What its stacks count. */
  String unit() {
    return unit;
  }

  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The event of that name. */
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
