package main

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"strconv"

	"ringside.dev/ringside/images/internal/loadorders"
	"ringside.dev/ringside/images/internal/serverclient"
	"ringside.dev/ringside/images/internal/standard1"
)

// orders is the task of this pod.
type orders struct {
	operation string
	// server is the type of the server under test.
	server            string
	hosts             []string
	port              int
	bound             loadorders.Bound
	keys              loadorders.Keys
	threads           int64
	consistency       string
	seed              int64
	replicationFactor int64
	hlog, summary     string
	scratch           string

	// Parameters of the experiment.
	distribution        string
	columns, columnSize int64
	retries             int64
}

var distributions = []string{"gaussian", "uniform"}

// readOrders reads the environment. Every error is a loadorders.Error.
func readOrders(getenv func(string) string) (orders, error) {
	in := loadorders.Source{Getenv: getenv}
	o := orders{
		operation:         in.OneOf("RINGSIDE_OPERATION", "", []string{"write", "read"}),
		server:            getenv("RINGSIDE_SERVER_TYPE"),
		bound:             in.Bound(),
		keys:              in.Keys(),
		threads:           in.Number("RINGSIDE_THREADS", -1, 1),
		consistency:       in.OneOf("RINGSIDE_CONSISTENCY", "LOCAL_ONE", standard1.Consistencies),
		seed:              in.Number("RINGSIDE_SEED", 0, 0),
		replicationFactor: in.Number("RINGSIDE_REPLICATION_FACTOR", 1, 1),
		hlog:              in.Needed("RINGSIDE_HLOG"),
		summary:           in.Needed("RINGSIDE_SUMMARY"),
		scratch:           in.Needed("RINGSIDE_SCRATCH"),
		distribution:      in.OneOf("RINGSIDE_PARAM_DISTRIBUTION", "gaussian", distributions),
		columns:           in.Number("RINGSIDE_PARAM_COLUMNS", standard1.DefaultColumns, 1),
		columnSize:        in.Number("RINGSIDE_PARAM_COLUMN_SIZE", standard1.DefaultColumnSize, 1),
		retries:           in.Number("RINGSIDE_PARAM_RETRIES", 0, 0),
	}
	o.hosts, o.port = in.Endpoints("latte")
	rate := in.Number("RINGSIDE_TARGET_RATE", 0, 0)
	connections := in.Number("RINGSIDE_CONNECTIONS", o.threads, 1)
	switch {
	case in.Err != nil:
		return o, in.Err
	case rate > 0:
		return o, loadorders.Refuse("RINGSIDE_TARGET_RATE is %d: at a constant rate latte skips requests that are late and times the others from when they begin, so it has no response times; use the load cql-load or stress", rate)
	case getenv("RINGSIDE_CAPACITY_PERCENTILE") != "":
		return o, loadorders.Refuse("RINGSIDE_CAPACITY_PERCENTILE is set: latte searches for no capacity; use the load cql-load")
	case !serverclient.OverCQL(o.server):
		return o, loadorders.Refuse("RINGSIDE_SERVER_TYPE is %q: latte speaks CQL, which this server does not", o.server)
	case connections != o.threads:
		return o, loadorders.Refuse("RINGSIDE_CONNECTIONS is %d for RINGSIDE_THREADS=%d: all requests of latte share one connection to each node; leave it out", connections, o.threads)
	}
	return o, nil
}

// addresses returns the nodes as latte takes them. It has no resolver of its own: it is linked statically.
func (o orders) addresses(ctx context.Context) ([]string, error) {
	var all []string
	for _, host := range o.hosts {
		found, err := net.DefaultResolver.LookupHost(ctx, host)
		if err != nil {
			return nil, fmt.Errorf("looking up %s: %w", host, err)
		}
		all = append(all, net.JoinHostPort(found[0], strconv.Itoa(o.port)))
	}
	return all, nil
}

func (o orders) keysFile() string   { return filepath.Join(o.scratch, "keys") }
func (o orders) reportFile() string { return filepath.Join(o.scratch, "report.json") }
func (o orders) rawLog() string     { return filepath.Join(o.scratch, "latte.hlog") }
