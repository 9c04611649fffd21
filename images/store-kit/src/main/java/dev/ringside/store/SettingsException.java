package dev.ringside.store;

import java.util.List;

/** Settings that make no sense. The message is one line that tells every fault and its mend. */
public final class SettingsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /** One fault, in one line. */
  public SettingsException(String fault) {
    super(fault);
  }

  SettingsException(List<String> faults) {
    super(String.join("; ", faults));
  }
}
