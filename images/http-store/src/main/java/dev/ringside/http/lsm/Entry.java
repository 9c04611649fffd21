package dev.ringside.http.lsm;

/**
 * A key and what became of it. The arrays are nobody's to change.
 *
 * @param value null where the key was removed: older tables must not show through
 */
record Entry(byte[] key, byte[] value) {}
