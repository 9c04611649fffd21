package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class JmxTest {
  private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();

  @Test
  void shouldTellOfSeveralServersInOneProcess() throws Exception {
    try (RunningServer one = new RunningServer(new TestService(), args -> args.name("twins"));
        RunningServer two = new RunningServer(new TestService(), args -> args.name("twins"));
        Client client = two.connect()) {
      client.call("echo", Bytes.of("x"));
      assertEquals(2, names().size());
      long requests = 0;
      for (ObjectName name : names()) {
        requests += (Long) beans.getAttribute(name, "InlineRequestsTotal");
        requests += (Long) beans.getAttribute(name, "HandedOffRequestsTotal");
        assertEquals(1024L, beans.getAttribute(name, "RingSize"));
        for (MBeanAttributeInfo attribute : beans.getMBeanInfo(name).getAttributes()) {
          Object value = beans.getAttribute(name, attribute.getName());
          assertTrue(
              !(value instanceof Number) || ((Number) value).longValue() >= 0, attribute.getName());
        }
      }
      assertEquals(1, requests);
      two.stop();
      assertEquals(1, names().size());
    }
    assertEquals(0, names().size());
  }

  @Test
  void shouldDrainAndTellWhetherItIsReady() throws Exception {
    try (RunningServer server = new RunningServer(new TestService(), args -> args.name("twins"));
        Client client = server.connect()) {
      client.call("echo", Bytes.of("x"));
      ObjectName name = names().iterator().next();
      assertEquals(true, beans.getAttribute(name, "Ready"));
      Object cutOff =
          beans.invoke(name, "drain", new Object[] {60_000L}, new String[] {long.class.getName()});
      assertEquals(0, cutOff);
      assertEquals(false, beans.getAttribute(name, "Ready"));
      assertTrue(client.isClosedByServer());
    }
  }

  @Test
  void shouldRegisterAllServersOfOneNameThatStartAtOnce() throws Exception {
    int servers = 8;
    ExecutorService pool = Executors.newFixedThreadPool(servers);
    try {
      for (int round = 0; round < 10; round++) {
        CyclicBarrier together = new CyclicBarrier(servers);
        List<Future<RunningServer>> starts = new ArrayList<>();
        for (int i = 0; i < servers; i++) {
          starts.add(
              pool.submit(
                  () -> {
                    together.await();
                    return new RunningServer(new TestService(), args -> args.name("twins"));
                  }));
        }
        List<RunningServer> all = new ArrayList<>();
        for (Future<RunningServer> start : starts) {
          all.add(start.get());
        }
        assertEquals(servers, names().size());
        all.forEach(RunningServer::close);
        assertEquals(0, names().size());
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private Set<ObjectName> names() throws Exception {
    return beans.queryNames(
        new ObjectName("dev.ringside.thrift:type=TDisruptorServer,name=\"twins*\""), null);
  }
}
