package dev.ringside.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CodeIdentityTest {
  @TempDir Path scratch;

  @Test
  void shouldTellCodeByWhatIsInIt() throws Exception {
    String digest = CodeIdentity.digest(classPath("a", "code", "jar"));
    assertTrue(digest.matches("[0-9a-f]{12}"), digest);
    assertEquals(digest, CodeIdentity.digest(classPath("b", "code", "jar")), "in another folder");
    assertNotEquals(digest, CodeIdentity.digest(classPath("c", "other", "jar")));
    assertNotEquals(digest, CodeIdentity.digest(classPath("d", "code", "newer jar")));
  }

  private String classPath(String name, String code, String jar) throws Exception {
    Path classes = Files.createDirectories(scratch.resolve(name).resolve("classes/p"));
    Files.writeString(classes.resolve("A.class"), code);
    Path library = scratch.resolve(name).resolve("library.jar");
    Files.writeString(library, jar);
    return classes.getParent() + File.pathSeparator + library;
  }
}
