/** Moves connections and their requests between event loops, workers and the watchdog. */
package dev.ringside.thrift.internal.loop;
