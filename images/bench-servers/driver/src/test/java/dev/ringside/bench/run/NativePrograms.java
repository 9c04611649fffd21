package dev.ringside.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Provides the programs that are not Java, compiled if their sources have changed. */
final class NativePrograms {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static boolean compiled;

  private NativePrograms() {}

  /** Returns the folder of the benchmark's modules, in which the programs are compiled. */
  static synchronized Path home() throws IOException, InterruptedException {
    if (!compiled) {
      Process compiler =
          new ProcessBuilder(HOME.resolve("native/compile").toString())
              .redirectErrorStream(true)
              .start();
      String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, compiler.waitFor(), said);
      compiled = true;
    }
    return HOME;
  }
}
