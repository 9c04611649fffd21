/** Learns by observation how long each method uses the CPU and whether it blocks. */
package dev.ringside.thrift.internal.habits;
