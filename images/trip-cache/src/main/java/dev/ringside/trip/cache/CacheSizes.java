package dev.ringside.trip.cache;

/**
 * What a cache takes.
 *
 * @param entries values; an estimate where counting would take long
 * @param diskBytes of the files that hold values
 * @param memoryBytes of memory that the cache holds itself, without the kernel's own copies of its
 *     files
 */
public record CacheSizes(long entries, long diskBytes, long memoryBytes) {}
