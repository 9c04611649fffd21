package dev.ringside.cql.load.profile;

import java.util.List;

/** Reports a profile that cannot be used, or that asks for what is not supported. */
public final class ProfileException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<String> faults;

  ProfileException(List<String> faults) {
    super(String.join("; ", faults));
    this.faults = List.copyOf(faults);
  }

  /** Returns one line for each error, with its line in the profile. */
  public List<String> faults() {
    return faults;
  }
}
