/** A Thrift server on the LMAX Disruptor. Its API is the only package that it exports. */
// libthrift and slf4j are automatic modules: their names are in their manifests.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.ringside.thrift {
  requires transitive org.apache.thrift;
  requires com.lmax.disruptor;
  requires java.management;
  requires jdk.management;
  requires org.slf4j;
  requires static org.jspecify;

  exports dev.ringside.thrift;
}
