//go:build e2e

package guarded

import (
	"time"

	"github.com/stretchr/testify/assert"
)

// installsAStoreAlone: without operator and CRDs, from a registry of charts, by what the push told.
func installsAStoreAlone(h house) {
	const alone = "alone"
	h.guard(alone)
	digest := h.PushChart("udp-echo")
	image := h.Image("udp-echo")
	h.Helm("install", "echo", h.Charts()+"/udp-echo@"+digest, "--plain-http", "-n", alone,
		"--set", "image.registry="+image.Registry+",image.tag="+image.Tag, "--wait", "--timeout", "3m")
	assert.Equal(h.T, image.Reference(), h.Kubectl("-n", alone, "get", "pods", "-o", "jsonpath={.items[*].status.containerStatuses[*].imageID}"))
	h.Helm("test", "echo", "-n", alone, "--timeout", "2m")
	h.Helm("uninstall", "echo", "-n", alone, "--wait", "--timeout", "2m")
	h.Await(time.Minute, func() bool { return h.Kubectl("-n", alone, "get", "pods,services,statefulsets", "-o", "name") == "" })
}
