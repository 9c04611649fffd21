package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.TDisruptorServerMXBean;
import dev.ringside.thrift.internal.metrics.Failures;
import dev.ringside.thrift.internal.metrics.Metrics;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Implements the server's MBean. Several servers of one process differ by name. */
public final class ServerMBean implements TDisruptorServerMXBean {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.LOGGER);
  private static final String PREFIX = "dev.ringside.thrift:type=TDisruptorServer,name=";

  private final ServerCore server;
  private final Metrics metrics;
  private @Nullable ObjectName registered;

  public ServerMBean(ServerCore server) {
    this.server = server;
    this.metrics = server.metrics();
  }

  /** Registers under the server's name, followed by a number if another server has that name. */
  public void register() {
    String name = server.options().name;
    try {
      for (int number = 1; registered == null; number++) {
        register(
            new ObjectName(PREFIX + ObjectName.quote(number == 1 ? name : name + "-" + number)));
      }
    } catch (JMException e) {
      LOG.warn("server {} goes without JMX", name, e);
    }
  }

  private void register(ObjectName candidate) throws JMException {
    try {
      ManagementFactory.getPlatformMBeanServer().registerMBean(this, candidate);
      registered = candidate;
    } catch (InstanceAlreadyExistsException e) {
      LOG.debug("another server is {}", candidate);
    }
  }

  public void unregister() {
    if (registered != null) {
      try {
        ManagementFactory.getPlatformMBeanServer().unregisterMBean(registered);
      } catch (JMException e) {
        LOG.debug("unregistering {} failed", registered, e);
      }
      registered = null;
    }
  }

  @Override
  public boolean isReady() {
    return server.isReady();
  }

  @Override
  public int drain(long timeoutMillis) throws InterruptedException {
    return server.drain(timeoutMillis, TimeUnit.MILLISECONDS);
  }

  @Override
  public int getConnections() {
    return server.connections();
  }

  @Override
  public long getAcceptedTotal() {
    return metrics.accepted.sum();
  }

  @Override
  public long getAcceptFailuresTotal() {
    return metrics.acceptFailures.sum();
  }

  @Override
  public long getRefusedTotal() {
    return metrics.refused.sum();
  }

  @Override
  public long getIdleClosedTotal() {
    return metrics.idleClosed.sum();
  }

  @Override
  public long getStalledClosedTotal() {
    return metrics.stalledClosed.sum();
  }

  @Override
  public long getExpiredRequestsTotal() {
    return metrics.expired.sum();
  }

  @Override
  public long getCutOffTotal() {
    return metrics.cutOff.sum();
  }

  @Override
  public long getInlineRequestsTotal() {
    return metrics.inlineRequests.sum();
  }

  @Override
  public long getHandedOffRequestsTotal() {
    return metrics.handedOffRequests.sum();
  }

  @Override
  public long getLingersInVainTotal() {
    return metrics.lingersInVain.sum();
  }

  @Override
  public long getPromotionsTotal() {
    return metrics.promotions.sum();
  }

  @Override
  public long getHandlerNanosTotal() {
    return metrics.handlerNanos.sum();
  }

  @Override
  public long getQueueNanosTotal() {
    return metrics.queueNanos.sum();
  }

  @Override
  public long getBackpressureNanosTotal() {
    return metrics.backpressureNanos.sum();
  }

  @Override
  public int getRingSize() {
    return server.workers().ring().size();
  }

  @Override
  public int getRingOccupancy() {
    return server.workers().ring().occupancy();
  }

  @Override
  public int getEventLoops() {
    return server.loops().inUse();
  }

  @Override
  public int getThreads() {
    return server.workers().roster().threads();
  }

  @Override
  public int getParkedThreads() {
    return server.workers().roster().parked();
  }

  @Override
  public int getLingeringThreads() {
    return server.workers().roster().lingering();
  }

  @Override
  public long getReadBufferBytes() {
    return server.budget().usedBytes();
  }

  @Override
  public long getBytesReadTotal() {
    return metrics.bytesRead.sum();
  }

  @Override
  public long getBytesWrittenTotal() {
    return metrics.bytesWritten.sum();
  }

  @Override
  public long getBadFramesTotal() {
    return metrics.badFrames.sum();
  }

  @Override
  public long getHandlerFailuresTotal() {
    return metrics.handlerFailures.sum();
  }

  @Override
  public long getFailuresTotal() {
    return metrics.failures.sum();
  }
}
