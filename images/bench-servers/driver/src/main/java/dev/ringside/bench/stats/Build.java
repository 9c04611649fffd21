package dev.ringside.bench.stats;

/**
 * What a server's code was.
 *
 * @param commit that it was built at, or after with changes ({@code -dirty})
 * @param classPathDigest SHA-256 of what is on its class path, shortened
 */
public record Build(String commit, String classPathDigest) {
  static final Build NONE = new Build("", "");
}
