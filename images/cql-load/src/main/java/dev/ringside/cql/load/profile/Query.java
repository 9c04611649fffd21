package dev.ringside.cql.load.profile;

/**
 * A query of a profile.
 *
 * @param name name in the profile
 * @param line its line
 * @param cql statement
 * @param sameRow whether all variables come from one row of a partition
 */
record Query(String name, int line, String cql, boolean sameRow) {}
