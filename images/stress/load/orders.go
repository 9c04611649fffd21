package main

import (
	"regexp"
	"slices"

	"ringside.dev/ringside/images/internal/loadorders"
	"ringside.dev/ringside/images/internal/serverclient"
	"ringside.dev/ringside/images/internal/standard1"
)

// orders is the task of this pod.
type orders struct {
	operation string
	// server is the type of the server under test.
	server string
	// hosts are those of the server under test; port is the same on all of them.
	hosts   []string
	port    int
	bound   loadorders.Bound
	keys    loadorders.Keys
	threads int64
	// targetRate is in operations per second; 0 means closed-loop.
	targetRate  int64
	consistency string
	// replicationFactor is that of the keyspace that a write creates.
	replicationFactor int64
	hlog, summary     string
	scratch           string

	// Parameters of the experiment.
	distribution        string
	columns, columnSize int64
	retries             int64
	interval, heap      string
	// profile is the text of a user profile, and ops its operations with their shares; for the operation user only.
	profile, ops string
}

// user is the operation of a user profile.
const user = "user"

// defaultInterval is short because the tool begins its first interval at the whole second before the load, and omits
// intervals without operations. With intervals of one second, the op rate of a short run would be wrong by up to that
// second.
const defaultInterval = "100ms"

var (
	distributions = []string{"gaussian", "uniform", "sequential"}

	// singleConnection lists the server types that serve one connection at a time: a second thread would wait forever.
	singleConnection = []string{"simple"}

	intervalPattern = regexp.MustCompile(`^[1-9][0-9]*(s|ms)$`)
	heapPattern     = regexp.MustCompile(`^[1-9][0-9]*[mg]$`)
	// A profile without the table's definition would need a table that somebody else made.
	profilePattern = regexp.MustCompile(`(^|[\n{,])\s*table_definition\s*:`)
	opsPattern     = regexp.MustCompile(`^ops\([A-Za-z][A-Za-z0-9_]{0,23}=[1-9][0-9]{0,5}(,[A-Za-z][A-Za-z0-9_]{0,23}=[1-9][0-9]{0,5}){0,7}\)$`)
	insertsOnly    = regexp.MustCompile(`^ops\(insert=[0-9]+\)$`)
)

// readOrders reads the environment. Every error is a loadorders.Error.
func readOrders(getenv func(string) string) (orders, error) {
	in := loadorders.Source{Getenv: getenv}
	o := orders{
		operation:         in.OneOf("RINGSIDE_OPERATION", "", []string{"write", "read", user}),
		server:            getenv("RINGSIDE_SERVER_TYPE"),
		bound:             in.Bound(),
		keys:              in.Keys(),
		threads:           in.Number("RINGSIDE_THREADS", -1, 1),
		targetRate:        in.Number("RINGSIDE_TARGET_RATE", 0, 0),
		consistency:       in.OneOf("RINGSIDE_CONSISTENCY", "LOCAL_ONE", standard1.Consistencies),
		replicationFactor: in.Number("RINGSIDE_REPLICATION_FACTOR", 1, 1),
		hlog:              in.Needed("RINGSIDE_HLOG"),
		summary:           in.Needed("RINGSIDE_SUMMARY"),
		scratch:           in.Needed("RINGSIDE_SCRATCH"),
		distribution:      in.OneOf("RINGSIDE_PARAM_DISTRIBUTION", "gaussian", distributions),
		columns:           in.Number("RINGSIDE_PARAM_COLUMNS", standard1.DefaultColumns, 1),
		columnSize:        in.Number("RINGSIDE_PARAM_COLUMN_SIZE", standard1.DefaultColumnSize, 1),
		retries:           in.Number("RINGSIDE_PARAM_RETRIES", 9, 0),
		interval:          in.Matching("RINGSIDE_PARAM_LOG_INTERVAL", defaultInterval, intervalPattern),
		heap:              in.Matching("RINGSIDE_PARAM_HEAP", "512m", heapPattern),
		profile:           in.Like("RINGSIDE_PARAM_PROFILE", "a user profile with a table_definition", profilePattern),
		ops:               in.Like("RINGSIDE_PARAM_OPS", "ops(insert=1,one=3)", opsPattern),
	}
	o.hosts, o.port = in.Endpoints("cassandra-stress")
	connections := in.Number("RINGSIDE_CONNECTIONS", o.threads, 1)
	switch {
	case in.Err != nil:
		return o, in.Err
	case getenv("RINGSIDE_CAPACITY_PERCENTILE") != "":
		return o, loadorders.Refuse("RINGSIDE_CAPACITY_PERCENTILE is set: cassandra-stress searches for no capacity, use the load cassandra-load for that phase's experiment")
	case o.operation == user && (o.profile == "" || o.ops == ""):
		return o, loadorders.Refuse("RINGSIDE_PARAM_PROFILE or RINGSIDE_PARAM_OPS is empty: the operation user needs a profile, and its operations as in ops(insert=1)")
	case o.operation == user && !serverclient.OverCQL(o.server):
		return o, loadorders.Refuse("RINGSIDE_SERVER_TYPE is %q: user profiles are CQL, which this server does not speak", o.server)
	case o.operation == user && o.keys.Count != o.keys.All:
		return o, loadorders.Refuse("RINGSIDE_KEY_COUNT is %d of RINGSIDE_KEYS=%d: each load pod would create the table of the profile, use 1 pod", o.keys.Count, o.keys.All)
	case connections != o.threads:
		return o, loadorders.Refuse("RINGSIDE_CONNECTIONS is %d for RINGSIDE_THREADS=%d: each thread of cassandra-stress has its own connection, leave them out or make them equal", connections, o.threads)
	case o.threads > 1 && slices.Contains(singleConnection, o.server):
		return o, loadorders.Refuse("RINGSIDE_THREADS is %d, but the server %s serves one connection at a time and a second one would wait permanently: use 1 thread", o.threads, o.server)
	}
	return o, nil
}

// standardTable is the table of the operations write and read.
func (o orders) standardTable() standard1.Table {
	return standard1.Table{Server: o.server, Hosts: o.hosts, Port: o.port, Columns: o.columns, ReplicationFactor: o.replicationFactor}
}
