package dev.ringside.bench.stats;

/**
 * Identifies a server's code.
 *
 * @param commit of the build, with {@code -dirty} if there were changes
 * @param classPathDigest shortened SHA-256 of the contents of its class path
 */
public record Build(String commit, String classPathDigest) {
  static final Build NONE = new Build("", "");
}
