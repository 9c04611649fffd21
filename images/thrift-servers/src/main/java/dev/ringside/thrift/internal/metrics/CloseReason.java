package dev.ringside.thrift.internal.metrics;

/** Lists the reasons for which connections end. */
public enum CloseReason {
  CLIENT("the client ended or broke it", false),
  LIMIT("maxConnections is reached", true),
  IDLE("it was silent for longer than idleTimeout", false),
  STALLED("the client did not finish a frame, or read a reply, within stallTimeout", true),
  TLS("TLS failed", true),
  BAD_FRAME("its frame is too large, or the client uses no frames", true),
  BAD_MESSAGE("a request could not be read", true),
  PROCESSOR("the processor ended it", false),
  FAILURE("a handler, a hook or the server failed", true),
  PORT_REUSED("an earlier connection from its port did not end within stallTimeout", true),
  CUT_OFF("the server stops or drains, and a request was not answered in time", true),
  STOPPED("the server stops or drains", false);

  private final String text;
  private final boolean warns;

  CloseReason(String text, boolean warns) {
    this.text = text;
    this.warns = warns;
  }

  /** Returns the name in camel case, such as {@code BadFrame}. */
  public String id() {
    StringBuilder id = new StringBuilder();
    boolean begins = true;
    for (char letter : name().toCharArray()) {
      if (letter != '_') {
        id.append(begins ? letter : Character.toLowerCase(letter));
      }
      begins = letter == '_';
    }
    return id.toString();
  }

  /** Returns the reason in words that follow "because". */
  public String text() {
    return text;
  }

  /** Reports whether it is logged, because somebody may have to do something. */
  public boolean warns() {
    return warns;
  }
}
