package profiles

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/storechart"
)

const charts = "../../../charts"

func TestPartsAreThoseOfStoresThatThereAre(t *testing.T) {
	stores, err := storechart.NewCatalogue(charts).Stores()
	require.NoError(t, err)
	require.NotEmpty(t, all())
	for store, parts := range all() {
		assert.Contains(t, stores, store)
		names := map[string]bool{OtherPart: true}
		for _, part := range parts {
			assert.False(t, names[part.Name], "%s: %s", store, part.Name)
			names[part.Name] = true
		}
	}
	assert.Empty(t, PartsOf("nobody's"))
}

func TestAStackBelongsToThePartOfItsInnermostCall(t *testing.T) {
	requireParts(t, "cassandra", map[string]string{
		"Ringside-worker-#;java/lang/Thread.run;dev/ringside/thrift/internal/loop/Worker.run;sun/nio/ch/EPollArrayWrapper.epollWait;epoll_wait;do_epoll_wait_[k]": "Thrift server",
		"Ringside-worker-#": "Thrift server",
		"Thrift-#;org/apache/cassandra/thrift/CustomTThreadPoolServer$WorkerProcess.run;org/apache/thrift/TBaseProcessor.process":                                                                                                            "Thrift protocol",
		"Thrift-#;org/apache/thrift/TBaseProcessor.process;org/apache/cassandra/thrift/Cassandra$Processor$execute_prepared_cql3_query.getResult;org/apache/cassandra/thrift/CassandraServer.execute_prepared_cql3_query":                    "CQL",
		"Ringside-worker-#;dev/ringside/thrift/internal/loop/Worker.run;org/apache/cassandra/thrift/CassandraServer.f;org/apache/cassandra/service/ReadCallback.await;org/apache/cassandra/utils/concurrent/SimpleCondition.await;futex_[k]": "executors of Cassandra",
		"epollEventLoopGroup-#-#;io/netty/channel/epoll/EpollEventLoop.run;io/netty/channel/epoll/Native.epollWait;epoll_wait":                                                                                                               "CQL server",
		"Native-Transport-Requests-#;org/apache/cassandra/concurrent/SEPWorker.run;org/apache/cassandra/transport/Message$Dispatcher.channelRead0":                                                                                           "CQL server",
		"Native-Transport-Requests-#;org/apache/cassandra/transport/Message$Dispatcher.channelRead0;org/apache/cassandra/transport/messages/ExecuteMessage.execute;org/apache/cassandra/cql3/QueryProcessor.processPrepared":                 "CQL",
		"epollEventLoopGroup-#-#;io/netty/handler/codec/MessageToMessageDecoder.channelRead;org/apache/cassandra/transport/Message$ProtocolDecoder.decode;org/apache/cassandra/transport/CBUtil.readValue":                                   "CQL",
		"Ringside-disruptor:#;org/apache/cassandra/thrift/ThriftSessionManager.setCurrentSocket;io/netty/util/concurrent/FastThreadLocal.set":                                                                                                "Thrift server",
		"MessagingService-Outgoing-#;java/lang/Thread.run;org/apache/cassandra/net/OutboundTcpConnection.run;java/net/SocketOutputStream.write;__send":                                                                                       "messages between nodes",
		"ReadStage-#;org/apache/cassandra/concurrent/SEPWorker.run;org/apache/cassandra/net/MessageDeliveryTask.run;org/apache/cassandra/db/ReadCommandVerbHandler.doVerb;org/apache/cassandra/db/ReadCommand.executeLocally":                "reads and writes of a node",
		"CompactionExecutor:#;java/lang/Thread.run;start_thread": "flushes and compactions",
		"GC Thread##;G1YoungCollector::collect":                  "garbage collector",
		"C2 CompilerThre;CompileBroker::compiler_thread_loop()":  "compiler",
		"GossipTasks:#;java/lang/Thread.run":                     OtherPart,
	})
	requireParts(t, "http-store", map[string]string{
		"arrayqueue-worker-#;dev/ringside/http/EntityTask.run;one/nio/http/HttpSession.sendResponse":                      "HTTP server",
		"arrayqueue-worker-#;dev/ringside/http/EntityTask.run;dev/ringside/http/EntityStore.get;rocksdb::DBImpl::GetImpl": "store",
		"rocksdb:low;start_thread;rocksdb::CompactionJob::Run":                                                            "store",
	})
}

// Shortened stacks of real profiles.
func TestWhatACachesNativeCodeDoesIsTheCallsThatAskedForIt(t *testing.T) {
	const worker = "ForkJoinPool-#-worker-#;java/util/concurrent/ForkJoinPool.runWorker;dev/ringside/trip/store/Lanes$Lane.run;dev/ringside/trip/store/TripServer.take;dev/ringside/trip/store/TripBuilder.take;"
	requireParts(t, "trip-cache", map[string]string{
		"rocksdb-stream;java/lang/Thread.run;dev/ringside/trip/store/Connection.serve;dev/ringside/trip/stream/StreamSocket.receive;java/io/BufferedInputStream.read;__recv": "stream",
		"heap-again-accept;java/lang/Thread.run;sun/nio/ch/Net.accept": "stream",
		worker + "dev/ringside/trip/store/TripServer.complete;dev/ringside/trip/store/Acknowledger$$Lambda.complete;dev/ringside/trip/store/Connection.acknowledge;sun/nio/ch/SocketDispatcher.write0": "stream",
		"lmdb-stream;dev/ringside/trip/store/Connection.serve;dev/ringside/trip/store/TripServer.received;dev/ringside/trip/store/Lanes.add;java/util/concurrent/ConcurrentLinkedQueue.offer":          "hand-off",
		"ForkJoinPool-#-worker-#;java/util/concurrent/ForkJoinPool.awaitWork;jdk/internal/misc/Unsafe.park;futex_wait_[k]":                                                                             "hand-off",
		worker + "dev/ringside/trip/store/TripRecord.with;java/util/Arrays.copyOf":                                                                                                                     "trips",
		worker + "dev/ringside/trip/cache/RocksCache.get;org/rocksdb/RocksDB.get;Java_org_rocksdb_RocksDB_get__J_3BII;rocksdb::DBImpl::GetImpl;__memcmp_evex_movbe":                                    "lookups",
		worker + "dev/ringside/trip/cache/LmdbCache.get;org/lmdbjava/Dbi.get;com/kenai/jffi/Foreign.invokeL4;mdb_get;mdb_page_search_root":                                                             "lookups",
		worker + "dev/ringside/trip/cache/HeapCache.get;java/util/concurrent/ConcurrentHashMap.get":                                                                                                    "lookups",
		worker + "dev/ringside/trip/store/TripBuilder.put;dev/ringside/trip/cache/RocksCache.put;org/rocksdb/RocksDB.put;rocksdb::DBImpl::WriteImpl;__x64_sys_write_[k]":                               "puts",
		"ForkJoinPool-#-worker-#;[break_stack_range];[unknown];_mdb_txn_commit;mdb_page_flush;__pwrite64;mark_buffer_dirty_[k]":                                                                        "puts",
		"rocksdb-sync;java/lang/Thread.run;dev/ringside/trip/store/SyncTicker.run;dev/ringside/trip/cache/RocksCache.flush;org/rocksdb/RocksDB.syncWal;rocksdb::DBImpl::SyncWAL;fdatasync":             "syncs",
		"lmdb-sync;[break_stack_range];[unknown];mdb_env_sync;fdatasync":                                                                                                                               "syncs",
		"lmdb-sync;dev/ringside/trip/store/SyncedAcknowledger.run;dev/ringside/trip/store/Connection.acknowledge;dev/ringside/trip/stream/StreamSocket.acknowledge;sun/nio/ch/SocketDispatcher.write0": "stream",
		"rocksdb:low;start_thread;rocksdb::ThreadPoolImpl::Impl::BGThread;rocksdb::CompactionJob::Run":                                                                                                 "flushes and merges",
		worker + "dev/ringside/trip/cache/HazelcastCache.get;com/hazelcast/map/impl/proxy/MapProxyImpl.get;com/hazelcast/spi/impl/AbstractInvocationFuture$ManagedBlocker.block;futex_wait_[k]":        "lookups",
		"hz.hazelcast.partition-operation.thread-#;com/hazelcast/map/impl/operation/MapOperation.call":                                                                                                 "partitions",
		"jnr.ffi.util.ref.internal.Finalizer;java/lang/ref/ReferenceQueue.remove":                                                                                                                      "garbage collector",
		"C1 CompilerThre;CompileBroker::compiler_thread_loop()":                                                                                                                                        "compiler",
		"HTTP-Dispatcher;sun/nio/ch/EPollSelectorImpl.doSelect":                                                                                                                                        OtherPart,
	})
}

// requireParts compares the part of each stack with the expected one.
func requireParts(t *testing.T, store string, of map[string]string) {
	t.Helper()
	for stack, part := range of {
		for _, amount := range PartsOf(store).Split(Stacks{stack: 7}) {
			if amount.Part == part {
				assert.EqualValues(t, 7, amount.Count, stack)
			} else {
				assert.Zero(t, amount.Count, "%s is not of %s", stack, amount.Part)
			}
		}
	}
}

func TestNothingIsLostBetweenTheParts(t *testing.T) {
	s := Stacks{"a;dev/ringside/http/EntityTask.run;dev/ringside/http/EntityStore.get;org/rocksdb/RocksDB.get;rocksdb::DBImpl::GetImpl": 3, "b": 4, "c;java/util/concurrent/ArrayBlockingQueue.take;park": 5, "": 1}
	var sum int64
	for _, amount := range PartsOf("http-store").Split(s) {
		sum += amount.Count
	}
	assert.Equal(t, s.Total(), sum)
	assert.Equal(t, []Amount{{OtherPart, 13}}, Parts(nil).Split(s))
}

func TestRefusesPartsThatCannotBeRead(t *testing.T) {
	for text, says := range map[string]string{
		"store: a\nparts: [{name: x, frames: ['(']}]":  "frames of x of store a: error parsing regexp",
		"store: a\nparts: [{name: x, threads: ['(']}]": "threads of x of store a: error parsing regexp",
		"store: a\nparts: [{name: x, calls: [b]}]":     `a.yaml: error unmarshaling JSON: while decoding JSON: json: unknown field "calls"`,
	} {
		_, err := read(fstest.MapFS{"a.yaml": {Data: []byte(text)}})
		assert.ErrorContains(t, err, says)
	}
}

func TestReadsAndAddsUpStacks(t *testing.T) {
	s := Stacks{}
	require.NoError(t, s.Read(strings.NewReader("worker-#;java/lang/Thread.run;a/B.c 3\n\nworker-#;int main(int, char**) 4\n")))
	require.NoError(t, s.Read(strings.NewReader("worker-#;java/lang/Thread.run;a/B.c 2\r\n")))
	assert.Equal(t, Stacks{"worker-#;java/lang/Thread.run;a/B.c": 5, "worker-#;int main(int, char**)": 4}, s, "a frame may have spaces")
	assert.Equal(t, int64(9), s.Total())
	s.Add(Stacks{"gc": 1})
	assert.Equal(t, int64(10), s.Total())
}

func TestRefusesWhatIsNoStack(t *testing.T) {
	for text, says := range map[string]string{
		"a;b":                      `line 1 is "a;b", not a stack and its count`,
		"a 1\na;b x":               `line 2 counts "x", which is no number`,
		"a;b -1":                   `line 1 counts "-1", which is no number`,
		"a;b 99999999999999999999": `line 1 counts "99999999999999999999", which is no number`,
	} {
		assert.EqualError(t, Stacks{}.Read(strings.NewReader(text)), says)
	}
	assert.Error(t, Stacks{}.Read(strings.NewReader(strings.Repeat("x", maxLine+1))))
}

func many(n int) Stacks {
	s := Stacks{}
	for i := range n {
		s[fmt.Sprintf("pool-%d-#;com/example/Service.handle;com/example/Table%d.get", i%2, i*7919%100003)] = int64(i + 1)
	}
	return s
}

func TestPacksStacksSoThatTheyComeBack(t *testing.T) {
	s := many(100)
	packed, folded, err := Pack(s, 1<<20)
	require.NoError(t, err)
	assert.Zero(t, folded)
	again, _, err := Pack(many(100), 1<<20)
	require.NoError(t, err)
	assert.Equal(t, packed, again, "equal stacks give equal bytes")
	got, err := Unpack(packed)
	require.NoError(t, err)
	assert.Equal(t, s, got)
	_, err = Unpack(packed[:len(packed)/2])
	require.Error(t, err)
	_, err = Unpack([]byte("a;b 1"))
	require.Error(t, err)
}

func TestFoldsTheSmallestStacksAwayWhereNotAllFit(t *testing.T) {
	s := many(5000)
	packed, folded, err := Pack(s, 8000)
	require.NoError(t, err)
	assert.LessOrEqual(t, len(packed), 8000)
	assert.Greater(t, len(packed), 6000, "as much as fits")
	require.Positive(t, folded)
	got, err := Unpack(packed)
	require.NoError(t, err)
	assert.Equal(t, s.Total(), got.Total(), "nothing is lost but what is said by frames")
	assert.Len(t, got, 5000-folded+2, "one stack for each group of threads stands for the rest")
	assert.Positive(t, got["pool-0-#;[folded]"])
	for stack, count := range s {
		if _, kept := got[stack]; !kept {
			assert.LessOrEqual(t, count, int64(folded), "%s is one of the smallest", stack)
		}
	}
	packed, folded, err = Pack(s, 10)
	require.NoError(t, err)
	assert.Equal(t, 5000, folded, "what cannot fit at all is the groups alone")
	assert.NotEmpty(t, packed)
}
