package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.habits.KernelThread;
import dev.ringside.thrift.internal.habits.MethodHabits;
import dev.ringside.thrift.internal.wire.ThreadBuffers;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Holds the buffers of one thread, and what the watchdog must know about it. */
public final class Io extends ThreadBuffers {
  /** Counts what this thread has done, so that the watchdog sees progress. */
  public final AtomicLong progress = new AtomicLong();

  /** The method whose request this thread runs inline, or null; for the watchdog. */
  public final AtomicReference<@Nullable MethodHabits> running = new AtomicReference<>();

  /** The thread itself, for the watchdog. */
  public volatile @Nullable KernelThread kernelThread;

  /** The thread's last leadership, which shows it that it was deposed. */
  @SuppressWarnings("NullAway.Init") // Set before the thread leads, and read only from then on.
  public Leadership leadership;

  public Io(int bytes, int directPieces) {
    super(bytes, directPieces);
  }

  public void progressed() {
    progress.lazySet(progress.get() + 1);
  }
}
