// Package serverclient selects the protocol of each server of the charts cassandra and cassandra-cql.
package serverclient

import (
	"slices"

	"ringside.dev/ringside/images/internal/cqlclient"
	"ringside.dev/ringside/images/internal/nodeclient"
	"ringside.dev/ringside/images/internal/thriftclient"
)

// Native is the type of the server of the chart cassandra that speaks CQL's native protocol. All others of it speak Thrift.
const Native = "native"

// Variants are the servers of the chart cassandra-cql, which has no Thrift.
var Variants = []string{"v41", "v41-cms", "v50", "v50-java11", "v50-trie", "v50-bti", "v50-zgc", "v50-shenandoah"}

// OverCQL reports whether a server speaks CQL's native protocol.
func OverCQL(server string) bool { return server == Native || slices.Contains(Variants, server) }

// Of returns the client for a server type.
func Of(server string) nodeclient.Dialer {
	if OverCQL(server) {
		return cqlclient.Dial
	}
	return thriftclient.Dial
}
