package dev.ringside.thrift;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * Gives access to the Unix domain sockets of Java 16 and later. They are found by reflection,
 * because this is compiled for Java 8 too. Reflection runs once per listener, never per connection.
 */
final class UnixDomain {
  /** Finds classes by name. */
  interface Classes {
    Class<?> named(String name) throws ClassNotFoundException;
  }

  private final ProtocolFamily family;
  private final Method address;
  private final Method openServer;
  private final Method openClient;

  private UnixDomain(Classes classes) throws ReflectiveOperationException {
    address = classes.named("java.net.UnixDomainSocketAddress").getMethod("of", Path.class);
    family = StandardProtocolFamily.valueOf("UNIX");
    openServer = ServerSocketChannel.class.getMethod("open", ProtocolFamily.class);
    openClient = SocketChannel.class.getMethod("open", ProtocolFamily.class);
  }

  /**
   * Returns the sockets of the running Java.
   *
   * @throws UnsupportedOperationException if it has none
   */
  static UnixDomain sockets() {
    return sockets(Class::forName, System.getProperty("java.version"));
  }

  /** Returns the sockets of a Java with a version and classes; for tests. */
  static UnixDomain sockets(Classes classes, String version) {
    try {
      return new UnixDomain(classes);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      throw new UnsupportedOperationException(
          "Unix domain sockets need Java 16 or later, and this is Java "
              + version
              + ": run the server on a later one, or listen on TCP",
          e);
    }
  }

  /** Opens an unbound socket to listen on. */
  ServerSocketChannel openServer() throws IOException {
    return (ServerSocketChannel) call(openServer, family);
  }

  /** Opens a socket to connect with. */
  SocketChannel openClient() throws IOException {
    return (SocketChannel) call(openClient, family);
  }

  SocketAddress address(Path path) throws IOException {
    return (SocketAddress) call(address, path);
  }

  private static Object call(Method method, Object argument) throws IOException {
    try {
      return method.invoke(null, argument);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IOException) {
        throw (IOException) e.getCause();
      }
      throw new IOException(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IOException(e);
    }
  }
}
