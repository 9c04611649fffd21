//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// policies allow only store-1 to connect to store-0, and store-3 to connect only to store-1.
const policies = `
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: guarded, namespace: e2e}
spec:
  podSelector: {matchLabels: {statefulset.kubernetes.io/pod-name: store-0}}
  ingress:
    - from: [{podSelector: {matchLabels: {statefulset.kubernetes.io/pod-name: store-1}}}]
      ports: [{port: 8080}]
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: silent, namespace: e2e}
spec:
  podSelector: {matchLabels: {statefulset.kubernetes.io/pod-name: store-3}}
  policyTypes: [Egress]
  egress:
    - to: [{podSelector: {matchLabels: {statefulset.kubernetes.io/pod-name: store-1}}}]
`

// enforcesPolicies tests policies on real pods. internal/policy tests that the rules are right, with the truth tables
// of cyclonus.
func enforcesPolicies(t *testing.T, c cluster) {
	addresses := strings.Fields(c.kubectl("-n", "e2e", "get", "pods", "--sort-by=.metadata.name", "-o", "jsonpath={.items[*].status.podIP}"))
	require.Len(t, addresses, nodes)
	api := c.kubectl("get", "service", "kubernetes", "-o", "jsonpath={.spec.clusterIP}") + ":443"
	store := func(i int) string { return addresses[i] + ":8080" }
	require.NoError(t, c.dial(2, store(0)))
	require.NoError(t, c.dial(3, api))

	c.apply(policies)
	c.eventuallyRefused(2, store(0))
	c.eventuallyRefused(3, store(2))
	assert.NoError(t, c.dial(1, store(0)))
	assert.NoError(t, c.dial(3, store(1)))
	assert.NoError(t, c.dial(0, store(3)), "nothing was said of who may speak to it")
	assert.NoError(t, c.dial(0, api))
	assert.ErrorContains(t, c.dial(3, store(0)), refusal)
	assert.ErrorContains(t, c.dial(3, api), refusal, "what a Service's address stands for")
	assert.Contains(t, c.mustTool("status"), "network policies: 1 for 1 pods")
	// The kubelet probes every second. It is not a pod, so policies do not affect it.
	assert.Equal(t, "True", c.kubectl("-n", "e2e", "get", "pod", "store-0", "-o", `jsonpath={.status.conditions[?(@.type=="Ready")].status}`))

	node := c.kubectl("-n", "e2e", "get", "pod", "store-0", "-o", "jsonpath={.spec.nodeName}")
	before := c.service(node, "network-policy")
	c.killInside(node, before.PID)
	assert.ErrorContains(t, c.dial(2, store(0)), refusal, "the rules are the kernel's")
	require.Eventually(t, func() bool {
		now := c.service(node, "network-policy")
		return now.Running && now.PID != before.PID
	}, 30*time.Second, 50*time.Millisecond)
	c.mustTool("up")
	assert.ErrorContains(t, c.dial(2, store(0)), refusal)

	c.kubectl("-n", "e2e", "delete", "networkpolicy", "--all")
	require.Eventually(t, func() bool { return c.dial(2, store(0)) == nil && c.dial(3, api) == nil }, 10*time.Second, 50*time.Millisecond)
}

// refusal is the error of a rejected connection. A port without a listener, or a host that does not exist, gives
// another one.
const refusal = "no route to host"

func (c cluster) dial(pod int, address string) error {
	_, err := c.tryKubectl("", "-n", "e2e", "exec", fmt.Sprintf("store-%d", pod), "--", "/probe", "dial", address)
	return err
}

func (c cluster) eventuallyRefused(pod int, address string) {
	c.t.Helper()
	require.Eventually(c.t, func() bool {
		err := c.dial(pod, address)
		return err != nil && strings.Contains(err.Error(), refusal)
	}, 10*time.Second, 50*time.Millisecond)
}
