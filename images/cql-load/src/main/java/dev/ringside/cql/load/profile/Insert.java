package dev.ringside.cql.load.profile;

import com.datastax.oss.driver.api.core.cql.BatchType;

/**
 * How an insert operation writes.
 *
 * @param partitions partitions of an operation
 * @param batch type of the batch of all rows of an operation
 * @param select share of a partition's rows, in units of 1/{@code selectOf}
 * @param selectOf units of a whole partition
 */
record Insert(Distribution partitions, BatchType batch, Distribution select, long selectOf) {}
