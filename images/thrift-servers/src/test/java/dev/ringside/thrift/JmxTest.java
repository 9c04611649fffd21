package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.Set;
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
        assertEquals(1024, beans.getAttribute(name, "RingSize"));
        for (MBeanAttributeInfo attribute : beans.getMBeanInfo(name).getAttributes()) {
          assertTrue(((Number) beans.getAttribute(name, attribute.getName())).longValue() >= 0);
        }
      }
      assertEquals(1, requests);
      two.stop();
      assertEquals(1, names().size());
    }
    assertEquals(0, names().size());
  }

  private Set<ObjectName> names() throws Exception {
    return beans.queryNames(
        new ObjectName("dev.ringside.thrift:type=TDisruptorServer,name=\"twins*\""), null);
  }
}
