/** Counts what happens and what fails, and limits how often it is logged. */
package dev.ringside.thrift.internal.metrics;
