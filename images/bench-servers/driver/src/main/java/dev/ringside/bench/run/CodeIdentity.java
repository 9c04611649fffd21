package dev.ringside.bench.run;

import dev.ringside.bench.stats.Build;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** Identifies a server's code: equal digests are equal code, whatever the folder's name is. */
final class CodeIdentity {
  private static final int DIGITS = 12;

  private CodeIdentity() {}

  /** Returns the identity of a class path that was built in a folder. */
  static Build of(Path folder, String classPath) throws IOException, InterruptedException {
    return new Build(commit(folder), digest(classPath));
  }

  private static String commit(Path folder) throws IOException, InterruptedException {
    try {
      Process git =
          new ProcessBuilder(
                  "git",
                  "-C",
                  folder.toString(),
                  "describe",
                  "--always",
                  "--dirty",
                  "--exclude=*",
                  "--abbrev=" + DIGITS)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String commit = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return git.waitFor() == 0 ? commit.trim() : "unknown";
    } catch (IOException e) {
      // Without git or a repository, only the digest identifies the code.
      return "unknown";
    }
  }

  /** Returns a shortened SHA-256 of the class path's contents in their order. */
  static String digest(String classPath) throws IOException {
    MessageDigest sha = sha256();
    for (String entry : classPath.split(File.pathSeparator)) {
      Path path = Path.of(entry);
      for (Path file : files(path)) {
        sha.update(path.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
        sha.update(sha256().digest(Files.readAllBytes(file)));
      }
    }
    return HexFormat.of().formatHex(sha.digest()).substring(0, DIGITS);
  }

  /**
   * Returns the files of an entry. An entry may not exist: a module without sources has no classes.
   */
  private static List<Path> files(Path entry) throws IOException {
    if (Files.notExists(entry)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(entry)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
