package dev.ringside.contract.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FramesTest {
  @ParameterizedTest
  @CsvSource({
    "burner-12, burner-#",
    "ReadStage-3, ReadStage-#",
    "pool-1-thread-14, pool-#-thread-#",
    "worker7, worker#",
    "worker7 of 9, worker# of #",
    "T1, T#",
    "nioEventLoopGroup2-1, nioEventLoopGroup#-#",
    "MessagingService-Outgoing-/10.0.0.1-Small, MessagingService-Outgoing-/#.#.#.#-Small",
    "GC Thread#0, GC Thread#",
    "G1 Conc#1, G1 Conc#",
    "C2 CompilerThre, C2 CompilerThre",
    "UTF16 decoder, UTF16 decoder",
    "main, main",
    "a;b, a_b",
  })
  void shouldCallThreadsOfOneKindTheSame(String name, String kind) {
    assertEquals(kind, Frames.kind(name));
  }

  @ParameterizedTest
  @CsvSource({
    "[burner-12 tid=73];A.a;A.b, burner-#;A.a;A.b",
    "[a;b-1 tid=73];A.a, a_b-#;A.a",
    "[tid=73];A.a, unnamed thread;A.a",
    "[burner-12 tid=73], burner-#",
    "A.a;A.b, unnamed thread;A.a;A.b",
    // A lambda of Java 8, of 17, and of 21 or newer.
    "[m tid=1];A$$Lambda$2/1324119927.run;A.b, m;A$$Lambda.run;A.b",
    "[m tid=1];A$$Lambda$2.0x00007fbc70000c28.run;A.b, m;A$$Lambda.run;A.b",
    "[m tid=1];A$$Lambda.0x000000009d040210.run;A.b, m;A$$Lambda.run;A.b",
    "[m tid=1];java/lang/invoke/LambdaForm$MH.0x00007f84cc003400.invoke,"
        + " m;java/lang/invoke/LambdaForm$MH.invoke",
    "[m tid=1];java/lang/invoke/LambdaForm$DMH/1878.invokeStatic_L_V,"
        + " m;java/lang/invoke/LambdaForm$DMH.invokeStatic_L_V",
    "[m tid=1];sun/reflect/GeneratedMethodAccessor12.invoke;com/sun/proxy/$Proxy3.get,"
        + " m;sun/reflect/GeneratedMethodAccessor.invoke;com/sun/proxy/$Proxy.get",
    "[m tid=1];A$1.run;A.lambda$main$2;byte[]_[i], m;A$1.run;A.lambda$main$2;byte[]_[i]",
    "[m tid=1];A.get;/tmp/librocksdbjni16017744346593631116.so;/tmp/jna-110/jna3877892412.tmp,"
        + " m;A.get;/tmp/librocksdbjni.so;/tmp/jna-110/jna.tmp",
    "[m tid=1];/usr/lib/jvm/8/libstdc++.so.6.0.30;do_syscall_64_[k],"
        + " m;/usr/lib/jvm/8/libstdc++.so.6.0.30;do_syscall_64_[k]",
  })
  void shouldCallTheSameCodeTheSameInEveryProcess(String stack, String stable) {
    assertEquals(stable, Frames.stable(stack));
  }
}
