/**
 * Holds a Thrift server for Java on the LMAX Disruptor: {@link
 * dev.ringside.thrift.TDisruptorServer}, its arguments, and what it reports to programs.
 *
 * <p>Public types of this package are the API; those below {@code internal} are not, and change
 * without notice. The same types are in two artifacts, one for the newest libthrift and one for
 * libthrift 0.9.2 on Java 8. A process uses one of them.
 */
@NullMarked
package dev.ringside.thrift;

import org.jspecify.annotations.NullMarked;
