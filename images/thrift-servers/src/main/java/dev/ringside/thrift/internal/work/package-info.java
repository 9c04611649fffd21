/** Queues what waits for a thread, and decides which thread takes it, waits or ends. */
package dev.ringside.thrift.internal.work;
