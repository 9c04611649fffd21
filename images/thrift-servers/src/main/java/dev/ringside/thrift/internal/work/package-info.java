/** Queues what waits for a thread, and decides which thread takes it, waits or ends. */
@NullMarked
package dev.ringside.thrift.internal.work;

import org.jspecify.annotations.NullMarked;
