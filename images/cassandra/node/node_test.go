package main

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/images/internal/cqltest"
	"ringside.dev/ringside/images/internal/nodeclient"
	"ringside.dev/ringside/images/internal/thrifttest"
)

func environment(changes map[string]string) func(string) string {
	values := map[string]string{
		"POD_NAME":                           "store-2",
		"POD_IP":                             "10.0.0.3",
		"RINGSIDE_NODES":                     "4",
		"RINGSIDE_SEED":                      "store-0.store-ring",
		"RINGSIDE_STORAGE_PORT":              "7000",
		"RINGSIDE_HEALTH_ADDRESS":            ":8080",
		"RINGSIDE_SERVERS":                   "simple:9160,disruptor:9161,simple-again:9162",
		"RINGSIDE_SINGLE_CONNECTION_SERVERS": "simple",
	}
	for name, value := range changes {
		values[name] = value
	}
	return func(name string) string { return values[name] }
}

func TestReadsItsSettings(t *testing.T) {
	s, err := readSettings(environment(nil))
	require.NoError(t, err)
	ordinal, err := s.ordinal()
	require.NoError(t, err)
	assert.Equal(t, 2, ordinal)
	assert.Equal(t, []server{{kind: "simple", port: 9160, single: true}, {kind: "disruptor", port: 9161}, {kind: "simple-again", port: 9162, single: true}}, s.servers)
}

func TestRefusesSettingsThatMakeNoSense(t *testing.T) {
	for name, test := range map[string]struct{ variable, value, says string }{
		"no number in the pod's name": {"POD_NAME", "store", `POD_NAME is "store"`},
		"no address":                  {"POD_IP", "", `POD_IP is ""`},
		"no nodes":                    {"RINGSIDE_NODES", "0", `RINGSIDE_NODES is "0": a whole number from 1`},
		"no seed":                     {"RINGSIDE_SEED", "", "RINGSIDE_SEED and RINGSIDE_HEALTH_ADDRESS must be set"},
		"no server":                   {"RINGSIDE_SERVERS", "", `RINGSIDE_SERVERS is ""`},
		"a server without a port":     {"RINGSIDE_SERVERS", "hsha", `RINGSIDE_SERVERS is "hsha"`},
		"a port that is none":         {"RINGSIDE_STORAGE_PORT", "70000", "RINGSIDE_STORAGE_PORT"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readSettings(environment(map[string]string{test.variable: test.value}))
			assert.ErrorContains(t, err, test.says)
		})
	}
}

func TestSpreadsTokensEvenly(t *testing.T) {
	assert.Equal(t, "-9223372036854775808", token(0, 4))
	assert.Equal(t, "-4611686018427387904", token(1, 4))
	assert.Equal(t, "0", token(2, 4))
	assert.Equal(t, "4611686018427387904", token(3, 4))
	assert.Equal(t, "-3074457345618258603", token(1, 3))
}

func TestRendersOnlyWhatItKnows(t *testing.T) {
	text, err := render("listen: ${POD_IP}\n", map[string]string{"POD_IP": "10.0.0.3"})
	require.NoError(t, err)
	assert.Equal(t, "listen: 10.0.0.3\n", text)

	text, err = render("secret: a$$b$${POD_IP}", nil)
	require.NoError(t, err)
	assert.Equal(t, "secret: a$b${POD_IP}", text)

	_, err = render("listen: ${POD_IPS}", map[string]string{"POD_IP": "10.0.0.3"})
	assert.EqualError(t, err, "no value for ${POD_IPS}")
}

func TestTakesTheChartsOptionsWithoutComments(t *testing.T) {
	arguments := jvmArguments("# the heap\n-Xmx1g\n\n  -Xss256k\n", "/jamm.jar")
	assert.Equal(t, []string{"-Xmx1g", "-Xss256k", "-javaagent:/jamm.jar"}, arguments[:3])
	assert.Equal(t, mainClass, arguments[len(arguments)-1])
}

func TestReadsTheKernelsTableOfListeningPorts(t *testing.T) {
	table := `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0300000A:1B58 00000000:0000 0A 00000000:00000000 00:00000000 00000000 10001        0 1 1 0
   1: 0300000A:23C8 0100000A:9C40 01 00000000:00000000 00:00000000 00000000 10001        0 1 1 0
   2: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 0 0 0 0 0 0
`
	ports := map[int]bool{}
	require.NoError(t, parseListening(strings.NewReader(table), ports))
	assert.Equal(t, map[int]bool{7000: true, 8080: true}, ports, "9160 is a connection, not a listener")
}

func TestPreloadsJemallocWhereTheImageHoldsIt(t *testing.T) {
	libraries := t.TempDir()
	environment, arguments := mallocEnvironment(libraries)
	assert.Equal(t, []string{"MALLOC_ARENA_MAX=4"}, environment)
	assert.Empty(t, arguments)

	library := libraries + "/x86_64-linux-gnu/libjemalloc.so.2"
	require.NoError(t, os.Mkdir(libraries+"/x86_64-linux-gnu", 0o700))
	require.NoError(t, os.WriteFile(library, nil, 0o600))
	environment, arguments = mallocEnvironment(libraries)
	assert.Contains(t, environment, "LD_PRELOAD="+library)
	assert.Equal(t, []string{"-Dcassandra.libjemalloc=" + library}, arguments, "Cassandra says at its start that it has it")
}

func TestSaysWhatALimitLacks(t *testing.T) {
	files := limit{name: "open files (nofile)", want: 100_000, without: "they may run out"}
	assert.Empty(t, files.shortfall(100_000))
	assert.Equal(t, "the limit of open files (nofile) is 20000, Cassandra's makers ask for 100000: they may run out; raise it for the node's container runtime",
		files.shortfall(20_000))
	assert.Contains(t, limit{want: unlimited}.shortfall(8<<20), "ask for none")
}

// A limit is raised at most to the hard limit, which only root may exceed.
func TestRaisesALimitAsFarAsItMay(t *testing.T) {
	var before syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_CORE, &before))
	t.Cleanup(func() { _ = syscall.Setrlimit(syscall.RLIMIT_CORE, &before) })
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{Cur: 0, Max: before.Max}))
	have, err := limit{resource: syscall.RLIMIT_CORE, want: unlimited}.raise()
	require.NoError(t, err)
	assert.Equal(t, before.Max, have)
}

// The table of connections is not read: its length made probes expensive.
func TestAsksTheKernelForListenersOnly(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	connection, err := net.Dial("tcp", listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = connection.Close() })

	ports, err := askForListeners()
	require.NoError(t, err)
	assert.True(t, ports[port(t, listener.Addr())])
	assert.False(t, ports[port(t, connection.LocalAddr())])
	table, err := readTables("/proc/net/tcp", "/proc/net/tcp6")
	require.NoError(t, err)
	assert.True(t, table[port(t, listener.Addr())], "where the kernel does not answer, its table does")
}

func port(t *testing.T, address net.Addr) int {
	t.Helper()
	tcp, ok := address.(*net.TCPAddr)
	require.True(t, ok)
	return tcp.Port
}

// node returns the health of a node whose only server is a Thrift server of the test.
func node(t *testing.T, versions map[string][]string, single bool) (*health, *thrifttest.Server) {
	t.Helper()
	fake := thrifttest.Start(t, func(method string) thrifttest.Answer {
		if method == "describe_cluster_name" {
			return thrifttest.Text("ring")
		}
		return thrifttest.Lists(versions)
	})
	host, digits, err := net.SplitHostPort(fake.Address)
	require.NoError(t, err)
	port, err := strconv.Atoi(digits)
	require.NoError(t, err)
	s := settings{podIP: host, nodes: 2, storagePort: port, servers: []server{{kind: "x", port: port, single: single}}}
	h := newHealth(s, recordOf(t.TempDir()))
	return h, fake
}

func probe(t *testing.T, h *health, path string) (status int, body string) {
	t.Helper()
	response := httptest.NewRecorder()
	h.handler().ServeHTTP(response, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	text, err := io.ReadAll(response.Result().Body)
	require.NoError(t, err)
	return response.Code, string(text)
}

func TestIsReadyWhenTheServerAnswersAndTheRingWasWhole(t *testing.T) {
	h, fake := node(t, map[string][]string{"a": {"10.0.0.1", "10.0.0.2"}}, false)
	for range 2 {
		status, body := probe(t, h, "/ready")
		assert.Equal(t, http.StatusOK, status, body)
	}
	assert.EqualValues(t, 2, fake.Connections.Load(), "every probe asks again")
}

func TestIsNotReadyBeforeANewRingIsWhole(t *testing.T) {
	h, _ := node(t, map[string][]string{"a": {"10.0.0.1"}, nodeclient.Unreachable: {"10.0.0.2"}}, true)
	status, body := probe(t, h, "/ready")
	assert.Equal(t, http.StatusServiceUnavailable, status)
	assert.Contains(t, body, "1 of 2 nodes do not answer: 10.0.0.2")
}

// One lost node must not remove the others from their Services, nor keep a restarted node from becoming ready.
func TestStaysReadyWhenAnotherNodeIsLost(t *testing.T) {
	versions := map[string][]string{"a": {"10.0.0.1", "10.0.0.2"}}
	h, _ := node(t, versions, false)
	status, body := probe(t, h, "/ready")
	require.Equal(t, http.StatusOK, status, body)

	versions["a"], versions[nodeclient.Unreachable] = []string{"10.0.0.1"}, []string{"10.0.0.2"}
	status, body = probe(t, h, "/ready")
	assert.Equal(t, http.StatusOK, status, body)
	restarted := newHealth(h.settings, h.ring)
	status, body = probe(t, restarted, "/ready")
	assert.Equal(t, http.StatusOK, status, body)
}

func TestRefusesDataOfARingOfAnotherSize(t *testing.T) {
	ring := recordOf(t.TempDir())
	require.NoError(t, ring.fits(4), "no ring yet")
	require.NoError(t, ring.write(4))
	require.NoError(t, ring.fits(4))
	assert.EqualError(t, ring.fits(5), "this node's data belong to a ring of 4 nodes, not of 5: set nodes back to 4, or uninstall the release, delete its volume claims and install it again")
}

func TestAsksEveryServerFirstAndThenOneInTurn(t *testing.T) {
	servers := []server{{kind: "simple", single: true}, {kind: "hsha"}, {kind: "disruptor"}}
	var turn turns
	kinds := func() (kinds []string) {
		for _, server := range turn.due(servers) {
			kinds = append(kinds, server.kind)
		}
		return kinds
	}
	assert.Equal(t, []string{"simple", "hsha", "disruptor"}, kinds())
	for _, server := range servers {
		turn.note(server, true)
	}
	assert.Equal(t, []string{"hsha"}, kinds())
	assert.Equal(t, []string{"disruptor"}, kinds())
	assert.Equal(t, []string{"hsha"}, kinds(), "simple may be serving the load's connection")
	turn.note(servers[1], false)
	assert.Equal(t, []string{"hsha"}, kinds(), "one that failed is asked until it answers")
	assert.Equal(t, []string{"hsha"}, kinds())
}

// The server native speaks CQL. It may be the only one.
func TestAsksTheNativeServerInItsOwnProtocol(t *testing.T) {
	columns := []string{"node", "schema_version"}
	fake := cqltest.Start(t, cqltest.Answers{
		"cluster_name":                     cqltest.Rows([]string{"cluster_name"}, []string{"ring"}),
		"schema_version FROM system.local": cqltest.Rows(columns, []string{"\x0a\x00\x00\x01", "a"}),
		"schema_version FROM system.peers": cqltest.Rows(columns, []string{"\x0a\x00\x00\x02", "a"}),
	})
	host, digits, err := net.SplitHostPort(fake.Address)
	require.NoError(t, err)
	port, err := strconv.Atoi(digits)
	require.NoError(t, err)
	h := newHealth(settings{podIP: host, nodes: 2, storagePort: port, servers: []server{{kind: "native", port: port}}}, recordOf(t.TempDir()))
	status, body := probe(t, h, "/ready")
	assert.Equal(t, http.StatusOK, status, body)
	whole, err := h.ring.nodes()
	require.NoError(t, err)
	assert.Equal(t, 2, whole)
}

func TestChecksEachServerInItsOwnProtocol(t *testing.T) {
	targets, err := parseTargets([]string{"native=trial-native:9160", "hsha-again=trial-hsha-again:9161"})
	require.NoError(t, err)
	assert.Equal(t, []target{{"native", "trial-native:9160"}, {"hsha-again", "trial-hsha-again:9161"}}, targets)
	_, err = parseTargets([]string{"trial-hsha:9161"})
	assert.EqualError(t, err, `"trial-hsha:9161" is no server: write server=host:port`)
}

func TestLeavesASingleConnectionServerAloneOnceItHasAnswered(t *testing.T) {
	h, fake := node(t, map[string][]string{"a": {"10.0.0.1", "10.0.0.2"}}, true)
	for range 3 {
		status, body := probe(t, h, "/ready")
		assert.Equal(t, http.StatusOK, status, body)
	}
	assert.EqualValues(t, 1, fake.Connections.Load())
}

func TestIsAliveWithoutOpeningAConnection(t *testing.T) {
	h, fake := node(t, nil, false)
	status, body := probe(t, h, "/live")
	assert.Equal(t, http.StatusOK, status, body)
	assert.Zero(t, fake.Connections.Load())
}

func TestIsNotAliveWhenAServerStoppedListening(t *testing.T) {
	h, _ := node(t, nil, false)
	h.servers = append(h.servers, server{kind: "gone", port: 1})
	status, body := probe(t, h, "/live")
	assert.Equal(t, http.StatusServiceUnavailable, status)
	assert.Contains(t, body, "the server gone does not listen on port 1")
}

func TestTheJVMsStatusBecomesOurs(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(folder+"/java", []byte("#!/bin/sh\nexit 3\n"), 0o700))
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	var exit exitError
	require.ErrorAs(t, runJVM(t.Context(), nil, nil), &exit)
	assert.EqualValues(t, 3, exit)
}

func TestACheckWaitsForAServerThatIsOutOfReachAtFirst(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := free.Addr().String()
	require.NoError(t, free.Close())
	began := time.Now()
	require.ErrorContains(t, reach(t.Context(), []target{{"hsha", address}}, 50*time.Millisecond), "reaching "+address+": ")
	assert.Less(t, time.Since(began), time.Minute)
	reached := make(chan error, 1)
	go func() { reached <- reach(t.Context(), []target{{"hsha", address}}, time.Minute) }()
	server, err := net.Listen("tcp", address)
	require.NoError(t, err)
	defer server.Close() //nolint:errcheck // nothing was sent
	require.NoError(t, <-reached)
}
