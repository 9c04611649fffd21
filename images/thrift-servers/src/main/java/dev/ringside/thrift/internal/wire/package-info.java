/** Reads frames from connections and writes replies to them, plain and with TLS. */
package dev.ringside.thrift.internal.wire;
