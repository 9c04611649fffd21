/** Counts what happens and what fails, and limits how often it is logged. */
@NullMarked
package dev.ringside.thrift.internal.metrics;

import org.jspecify.annotations.NullMarked;
