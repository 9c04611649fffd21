package dev.ringside.thrift;

import org.apache.thrift.transport.TNonblockingTransport;

/**
 * Contains the part of a connection's transport that differs between versions of libthrift: here
 * 0.9.2.
 */
abstract class AcceptedTransport extends TNonblockingTransport {}
