import dev.ringside.thrift.TDisruptorServer;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.*;
import org.apache.thrift.transport.TNonblockingServerSocket;

public final class Hello {
  public static void main(String[] args) throws Exception {
    TProcessor processor = (in, out) -> { // of yours Thrift makes one: new Calculator.Processor<>(handler)
      TMessage call = in.readMessageBegin();
      TProtocolUtil.skip(in, TType.STRUCT);
      out.writeMessageBegin(new TMessage("hello " + call.name, TMessageType.REPLY, call.seqid));
      out.writeFieldStop();
      out.getTransport().flush();
    };
    new TDisruptorServer(new TDisruptorServer.Args(new TNonblockingServerSocket(Integer.parseInt(args[0]))).processor(processor)).serve();
  }
}
