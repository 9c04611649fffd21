// Command coredns is the cluster's DNS server: CoreDNS with only the plugins that its Corefile uses.
package main

import (
	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/coremain"

	_ "github.com/coredns/coredns/plugin/cache"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/health"
	_ "github.com/coredns/coredns/plugin/kubernetes"
	_ "github.com/coredns/coredns/plugin/loadbalance"
	_ "github.com/coredns/coredns/plugin/metrics"
	_ "github.com/coredns/coredns/plugin/ready"
)

func main() {
	// The order of the plugins that a request passes through, as in a full CoreDNS.
	dnsserver.Directives = []string{
		"ready", "health", "prometheus", "errors", "loadbalance", "cache", "kubernetes",
	}
	coremain.Run()
}
