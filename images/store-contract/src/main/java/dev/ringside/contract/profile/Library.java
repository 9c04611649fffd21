package dev.ringside.contract.profile;

import one.profiler.AsyncProfiler;

/** async-profiler's native library. Its jar contains it for some platforms. */
final class Library {
  private Library() {}

  /**
   * Unpacks the library into java.io.tmpdir and loads it, once. The file is deleted before this
   * returns.
   *
   * @throws Refusal if the library cannot be loaded
   */
  static AsyncProfiler load() throws Refusal {
    String folder = System.getProperty("java.io.tmpdir");
    try {
      return AsyncProfiler.getInstance();
    } catch (UnsupportedOperationException e) {
      throw unknownPlatform();
    } catch (UnsatisfiedLinkError e) {
      if (String.valueOf(e.getMessage()).contains("java.library.path")) {
        throw unknownPlatform();
      }
      throw new Refusal(
          Refusal.CANNOT,
          "async-profiler's library cannot be loaded from "
              + folder
              + " ("
              + e.getMessage()
              + "): mount it without noexec, in an image with a usual C library");
    } catch (NoClassDefFoundError e) {
      throw new Refusal(
          Refusal.CANNOT, "async-profiler is not in the image: put its jar on the class path");
    } catch (IllegalStateException e) {
      throw new Refusal(
          Refusal.CANNOT,
          "async-profiler's library cannot be unpacked into "
              + folder
              + " ("
              + (e.getCause() == null ? e : e.getCause())
              + "): give the container a writable folder there");
    }
  }

  private static Refusal unknownPlatform() {
    return new Refusal(
        Refusal.CANNOT,
        "async-profiler has no library for "
            + System.getProperty("os.name")
            + " on "
            + System.getProperty("os.arch")
            + ": run the store's pods on Linux nodes of amd64 or arm64");
  }
}
