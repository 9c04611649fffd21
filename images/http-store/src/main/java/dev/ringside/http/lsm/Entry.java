package dev.ringside.http.lsm;

/**
 * Holds a key and its latest value. Nothing changes the arrays.
 *
 * @param value null if the key was removed; the entry hides values of older tables
 */
record Entry(byte[] key, byte[] value) {}
