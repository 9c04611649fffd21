package dev.ringside.http;

import dev.ringside.store.HostedServer;
import dev.ringside.store.Settings;

/**
 * Holds the threads and the queue capacity of a server. Each value comes from {@code
 * RINGSIDE_<SERVER>_...}, or for all servers from {@code RINGSIDE_...}.
 *
 * @param workers WORKERS (16): threads that answer requests
 * @param queue QUEUE (1024): requests that may wait for a worker
 * @param selectors SELECTORS (2): threads that read requests
 */
record ServerOptions(int workers, int queue, int selectors) {
  static ServerOptions of(Settings in, HostedServer server) {
    return new ServerOptions(
        in.number(in.variable(server, "WORKERS"), 1, 4096, 16),
        in.number(in.variable(server, "QUEUE"), 1, 1 << 20, 1024),
        in.number(in.variable(server, "SELECTORS"), 1, 64, 2));
  }
}
