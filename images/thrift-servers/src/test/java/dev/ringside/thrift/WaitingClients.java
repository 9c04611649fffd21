package dev.ringside.thrift;

import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens connections that each wait for one reply in its own process, because one process may not
 * have enough open files for both ends. Arguments: port, number, method. Ends with status 0 if all
 * are answered.
 */
final class WaitingClients {
  private WaitingClients() {}

  static Process start(int port, int count, String method) throws IOException {
    return new ProcessBuilder(
            System.getProperty("java.home") + "/bin/java",
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            WaitingClients.class.getName(),
            String.valueOf(port),
            String.valueOf(count),
            method)
        .redirectError(new File("/dev/null"))
        .redirectOutput(new File("/dev/null"))
        .start();
  }

  public static void main(String[] args) throws Exception {
    List<Socket> open = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(args[1]); i++) {
      Socket socket = new Socket("127.0.0.1", Integer.parseInt(args[0]));
      socket.getOutputStream().write(Client.frame(args[2], i, Bytes.of("x")));
      open.add(socket);
    }
    for (Socket socket : open) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      in.readFully(new byte[in.readInt()]);
    }
  }
}
