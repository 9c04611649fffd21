package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.metrics.CloseReason;
import dev.ringside.thrift.internal.metrics.Failures;
import dev.ringside.thrift.internal.metrics.Metrics;
import dev.ringside.thrift.internal.work.Roster;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanException;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exposes a running server over JMX, as {@code dev.ringside.thrift:type=TDisruptorServer,name=...}.
 * Several servers of one process differ by name. Totals count from the start of the server.
 */
public final class ServerMBean implements DynamicMBean {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.LOGGER);
  private static final String PREFIX = "dev.ringside.thrift:type=TDisruptorServer,name=";

  private final ServerCore server;
  private final Map<String, MBeanAttributeInfo> infos = new LinkedHashMap<>();
  private final Map<String, Supplier<Object>> values = new LinkedHashMap<>();
  private @Nullable ObjectName registered;

  public ServerMBean(ServerCore server) {
    this.server = server;
    Metrics metrics = server.run.metrics;
    Roster roster = server.workers.roster;
    add("Ready", "boolean", "whether clients should be sent to this server", server::isReady);
    number("Connections", "open connections", server::connections);
    number("AcceptedTotal", "connections accepted", metrics.accepted::sum);
    number(
        "AcceptFailuresTotal",
        "connections not accepted, in most cases for lack of file descriptors",
        metrics.acceptFailures::sum);
    for (CloseReason reason : CloseReason.values()) {
      number(
          "Closed" + reason.id() + "Total",
          "connections that ended because " + reason.text(),
          () -> metrics.closings.count(reason));
    }
    number(
        "ExpiredRequestsTotal", "requests not run because of queueTimeout", metrics.expired::sum);
    number(
        "InlineRequestsTotal",
        "requests that ran on the thread that read them",
        metrics.inlineRequests::sum);
    number(
        "HandedOffRequestsTotal", "requests that ran on a worker", metrics.handedOffRequests::sum);
    add(
        "HandedOffMethods",
        String[].class.getName(),
        "methods that were learned to block, and are handed off to workers",
        () -> server.run.methods.handedOff().toArray(new String[0]));
    number(
        "LingersInVainTotal",
        "times that a worker waited for its connection's next request in vain",
        metrics.lingersInVain::sum);
    number(
        "PromotionsTotal",
        "times that an event loop got a new leader because a request blocked the old one",
        metrics.promotions::sum);
    number(
        "HandlerNanosTotal",
        "time in processors, with encoding and decoding, in ns",
        metrics.handlerNanos::sum);
    number(
        "QueueNanosTotal",
        "time for which handed-off requests waited for a worker, in ns",
        metrics.queueNanos::sum);
    number(
        "BackpressureNanosTotal",
        "time for which the ring was full and event loops did not read, in ns",
        metrics.backpressureNanos::sum);
    number("RingSize", "capacity of the ring, in entries", server.workers.ring::size);
    number("RingOccupancy", "entries that wait for a worker", server.workers.ring::occupancy);
    number("EventLoops", "event loops in use", server.loops::inUse);
    number("Threads", "threads, with leaders of event loops", roster::threads);
    number("ParkedThreads", "threads that have nothing to do", roster::parked);
    number(
        "LingeringThreads",
        "threads that wait for the next request of the connection that they served",
        roster::lingering);
    number(
        "ReadBufferBytes",
        "memory held for requests that are received and not run yet",
        server.run.requests::held);
    number(
        "UnreadReplyBytes",
        "memory held for replies that clients have not read yet, or that are written now",
        server.run.replies::used);
    number("BytesReadTotal", "bytes received", metrics.bytesRead::sum);
    number("BytesWrittenTotal", "bytes sent", metrics.bytesWritten::sum);
    number(
        "HandlerFailuresTotal",
        "requests that ended with an exception that the interface does not declare",
        metrics.handlerFailures::sum);
    number(
        "FailuresTotal",
        "times that a thread of the server, or a hook, failed unexpectedly and went on",
        metrics.failures::sum);
  }

  private void number(String name, String description, LongSupplier value) {
    add(name, "long", description, value::getAsLong);
  }

  private void add(String name, String type, String description, Supplier<Object> value) {
    infos.put(name, new MBeanAttributeInfo(name, type, description, true, false, false));
    values.put(name, value);
  }

  /** Registers under the server's name, followed by a number if another server has that name. */
  public void register() {
    String name = server.run.options.name;
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
  public MBeanInfo getMBeanInfo() {
    MBeanOperationInfo drain =
        new MBeanOperationInfo(
            "drain",
            "closes all connections without losing requests, and returns how many were cut off",
            new MBeanParameterInfo[] {new MBeanParameterInfo("timeoutMillis", "long", "")},
            "int",
            MBeanOperationInfo.ACTION);
    return new MBeanInfo(
        getClass().getName(),
        "a Thrift server",
        infos.values().toArray(new MBeanAttributeInfo[0]),
        null,
        new MBeanOperationInfo[] {drain},
        null);
  }

  @Override
  public Object getAttribute(String name) throws AttributeNotFoundException {
    Supplier<Object> value = values.get(name);
    if (value == null) {
      throw new AttributeNotFoundException(name);
    }
    return value.get();
  }

  @Override
  public AttributeList getAttributes(String[] names) {
    AttributeList list = new AttributeList();
    for (String name : names) {
      Supplier<Object> value = values.get(name);
      if (value != null) {
        list.add(new Attribute(name, value.get()));
      }
    }
    return list;
  }

  @Override
  public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException(attribute.getName() + " is read-only");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }

  @Override
  public Object invoke(String operation, Object[] arguments, String[] signature)
      throws MBeanException {
    try {
      return server.drain((Long) arguments[0], TimeUnit.MILLISECONDS);
    } catch (InterruptedException | RuntimeException e) {
      throw new MBeanException(e, operation + " failed");
    }
  }
}
