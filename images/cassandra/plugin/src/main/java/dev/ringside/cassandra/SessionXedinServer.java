package dev.ringside.cassandra;

import com.thinkaurelius.thrift.Message;
import com.thinkaurelius.thrift.TDisruptorServer;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The published disruptor server with Cassandra's session rules. Closing a connection ends its
 * session. The server's own beforeClose is not used for that, because the server skips it when a
 * handler throws.
 */
final class SessionXedinServer extends TDisruptorServer {
  private final Sessions sessions;

  SessionXedinServer(Args args, Sessions sessions) {
    super(withoutMBean(args));
    this.sessions = sessions;
  }

  /**
   * Unregisters the MBean of an earlier server: all have the same name, and the constructor fails
   * if it is registered. So JMX shows only the last of several servers.
   */
  private static Args withoutMBean(Args args) {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName name = new ObjectName(MBEAN_NAME);
      if (beans.isRegistered(name)) {
        beans.unregisterMBean(name);
      }
    } catch (JMException e) {
      throw new IllegalStateException("unregistering the MBean of a server failed", e);
    }
    return args;
  }

  @Override
  protected void beforeInvoke(Message message) {
    sessions.beforeRequest(((SessionNonblockingSocket) message.transport).client());
  }
}
