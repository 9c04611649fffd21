package dev.ringside.cql.load.profile;

import java.util.List;
import java.util.Map;

/**
 * A user profile of cassandra-stress, as far as it is supported.
 *
 * @param keyspace name of the keyspace
 * @param keyspaceDefinition statement that creates it; empty if the profile has none
 * @param keyspaceLine line of that statement
 * @param table definition of the table
 * @param partitionKey columns of the partition key
 * @param clustering clustering columns
 * @param others all other columns
 * @param insert how an insert operation writes
 * @param queries queries by name
 */
record Profile(
    String keyspace,
    String keyspaceDefinition,
    int keyspaceLine,
    TableDefinition table,
    List<Column> partitionKey,
    List<Column> clustering,
    List<Column> others,
    Insert insert,
    Map<String, Query> queries) {}
