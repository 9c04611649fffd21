package dev.ringside.trip.cache;

/**
 * Holds the sizes of a cache.
 *
 * @param entries number of values; an estimate if counting takes long
 * @param diskBytes size of the files that hold values
 * @param memoryBytes memory that the cache allocates, without the kernel's page cache
 */
public record CacheSizes(long entries, long diskBytes, long memoryBytes) {}
