// Package serverclient selects the protocol of each server of the chart cassandra.
package serverclient

import (
	"ringside.dev/ringside/images/internal/cqlclient"
	"ringside.dev/ringside/images/internal/nodeclient"
	"ringside.dev/ringside/images/internal/thriftclient"
)

// Native is the type of the server that speaks CQL's native protocol. All others speak Thrift.
const Native = "native"

// Of returns the client for a server type.
func Of(server string) nodeclient.Dialer {
	if server == Native {
		return cqlclient.Dial
	}
	return thriftclient.Dial
}
