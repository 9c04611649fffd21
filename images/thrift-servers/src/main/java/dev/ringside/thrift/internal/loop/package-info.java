/** Moves connections and their requests between event loops, workers and the watchdog. */
@NullMarked
package dev.ringside.thrift.internal.loop;

import org.jspecify.annotations.NullMarked;
