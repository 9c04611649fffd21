/** Learns by observation how long each method uses the CPU and whether it blocks. */
@NullMarked
package dev.ringside.thrift.internal.habits;

import org.jspecify.annotations.NullMarked;
