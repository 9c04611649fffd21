/** Reads frames from connections and writes replies to them, plain and with TLS. */
@NullMarked
package dev.ringside.thrift.internal.wire;

import org.jspecify.annotations.NullMarked;
