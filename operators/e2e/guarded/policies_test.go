//go:build e2e

package guarded

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// runsUnderPolicies also runs three load pods from one announced instant on. The quota has room for one load at a time.
func runsUnderPolicies(h house) {
	for _, namespace := range []string{runs, monitoring} {
		h.guard(namespace)
	}
	h.Run("make", "install", "CLUSTER=current", "PROFILE=cluster/experiment-profile.yaml")
	name := h.start(runs, "spec.load.pods=3", "spec.keys=3", phases(echo("first", 8*time.Second), echo("second", 4*time.Second)))
	for _, m := range h.complete(runs, name, 5*time.Minute) {
		assert.True(h.T, m.Status.Valid, "%s: %q", m.Name, m.Status.InvalidReasons)
		require.Len(h.T, m.Status.Parts, 3)
		for _, part := range m.Status.Parts {
			assert.True(h.T, part.Connected, "%s: load pod %d had its connections before the start", m.Name, part.Index)
			assert.NotNil(h.T, part.ClockOffsetMicros, "%s: what load pod %d's clock shows is known", m.Name, part.Index)
		}
		require.NotNil(h.T, m.Status.Result)
		assert.NotNil(h.T, m.Status.Result.Common, "%s: a time in which all drove load", m.Name)
		h.T.Logf("%s: load pods began %d ms apart", m.Name, m.Status.Result.StartSkewMillis)
	}
}

func namesTheQuota(h house) {
	defer h.Kubectl("-n", runs, "patch", "resourcequota", "household", "--type=merge", "-p", `{"spec":{"hard":{"requests.cpu":"4","requests.memory":"6Gi"}}}`)
	for _, test := range []struct{ resource, amount, reason string }{
		{"requests.cpu", "500m", v1beta1.ReasonLoadFailed},      // takes the store, and no load beside it
		{"requests.memory", "200Mi", v1beta1.ReasonStoreFailed}, // takes the operator
	} {
		h.Kubectl("-n", runs, "patch", "resourcequota", "household", "--type=merge", "-p", fmt.Sprintf(`{"spec":{"hard":{%q:%q}}}`, test.resource, test.amount))
		name := h.start(runs, phases(echo("echo", 2*time.Second)))
		reason, message := h.failure(runs, name, 3*time.Minute)
		assert.Equal(h.T, test.reason, reason)
		assert.Contains(h.T, message, "exceeded quota: household")
		assert.Contains(h.T, message, "limited: "+test.resource+"="+test.amount)
		assert.Contains(h.T, message, "raise the quota")
	}
}

// tellsOfOtherRuns has a store on every node twice, by an operator each.
func tellsOfOtherRuns(h house) {
	const theirs = "ringside-two"
	h.guard(theirs)
	h.Helm("install", "ringside", "charts/ringside", "-n", theirs, "--set", "crds.enabled=false", "-f", "build/images/operator-values.json", "--wait", "--timeout", "3m")
	everywhere, long := "spec.store.values.nodes=4", phases(echo("echo", 15*time.Second))
	ours := h.start(runs, everywhere, long)
	other := h.start(theirs, everywhere, long, "spec.gates.otherRuns=Warn")
	said := func(run, namespace string) string {
		return fmt.Sprintf("other runs: run %s of namespace %s used node1, node2, node3, node4 during the phase", run, namespace)
	}
	for _, m := range h.complete(runs, ours, 5*time.Minute) {
		assert.Contains(h.T, m.Status.InvalidReasons, said(other, theirs))
	}
	for _, m := range h.complete(theirs, other, 5*time.Minute) {
		assert.Contains(h.T, m.Status.Warnings, said(ours, runs))
		assert.True(h.T, m.Status.Valid, "%q", m.Status.InvalidReasons)
	}
	h.Helm("uninstall", "ringside", "-n", theirs, "--wait")
}
