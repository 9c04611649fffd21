package dev.ringside.cassandra;

import com.thinkaurelius.thrift.Message;
import com.thinkaurelius.thrift.TDisruptorServer;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The published disruptor server that keeps Cassandra's session rules. Sessions end when the
 * connection is closed, not in the server's own beforeClose, which it skips when a handler throws.
 */
final class SessionXedinServer extends TDisruptorServer {
  private final Sessions sessions;

  SessionXedinServer(Args args, Sessions sessions) {
    super(withoutMBean(args));
    this.sessions = sessions;
  }

  /**
   * Takes out the MBean of a server that was made before: all have one name, and the constructor
   * fails where it is taken. What JMX shows of several is the last one's.
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
