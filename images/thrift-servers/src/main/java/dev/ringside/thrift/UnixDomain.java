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
 * Unix domain sockets as Java has them since 16. Found by name, since this also is compiled for
 * Java 8; what is found is called once for a listener, and never for a connection.
 */
final class UnixDomain {
  /** Where classes are found. */
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
   * Those of the Java that runs this.
   *
   * @throws UnsupportedOperationException if it has none
   */
  static UnixDomain sockets() {
    return sockets(Class::forName, System.getProperty("java.version"));
  }

  /** Those of a Java of that version, with those classes. */
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

  /** A socket to listen on, bound to nothing yet. */
  ServerSocketChannel openServer() throws IOException {
    return (ServerSocketChannel) call(openServer, family);
  }

  /** A socket to connect with. */
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
