package dev.ringside.store;

import java.util.List;

/** The settings are invalid. The message is one line with every error and how to fix it. */
public final class SettingsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /** Creates the exception with one error, in one line. */
  public SettingsException(String fault) {
    super(fault);
  }

  SettingsException(List<String> faults) {
    super(String.join("; ", faults));
  }
}
