package gates

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestASettingThatWasAskedForAndDidNotArriveIsNamedWithBothValues(t *testing.T) {
	runs := func(pod, digest string, settings map[string]string) v1beta1.Proof {
		return v1beta1.Proof{Server: "hsha", Pod: pod, SettingsSHA256: digest, Settings: settings}
	}
	asked := map[string]string{"concurrent_reads": "16", "jvm.UseG1GC": "true"}
	arrived := map[string]string{"concurrent_reads": "16", "jvm.UseG1GC": "true", "other": "1"}
	lost := map[string]string{"concurrent_reads": "32", "jvm.UseG1GC": "true"}
	for name, test := range map[string]struct {
		asked  map[string]string
		proofs []v1beta1.Proof
		want   []string
	}{
		"all arrived":         {asked, []v1beta1.Proof{runs("s-0", "1", arrived), runs("s-1", "1", arrived)}, nil},
		"one did not":         {asked, []v1beta1.Proof{runs("s-0", "1", lost), runs("s-1", "1", lost)}, []string{"variant: setting concurrent_reads: requested was 16, but store pod s-0 runs with 32"}},
		"one did not on one":  {asked, []v1beta1.Proof{runs("s-0", "1", arrived), runs("s-1", "2", lost)}, []string{"variant: setting concurrent_reads: requested was 16, but store pod s-1 runs with 32"}},
		"one is not reported": {asked, []v1beta1.Proof{runs("s-0", "1", map[string]string{"jvm.UseG1GC": "true"})}, []string{"variant: setting concurrent_reads: requested was 16, but store pod s-0 does not report it"}},
		"none is reported":    {asked, []v1beta1.Proof{runs("s-0", "", nil)}, []string{"variant: the experiment sets settings, but store pod s-0 does not report its settings"}},
		"nothing was asked":   {nil, []v1beta1.Proof{runs("s-0", "", nil)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var pods []string
			for _, proof := range test.proofs {
				pods = append(pods, proof.Pod)
			}
			assert.Equal(t, test.want, messages(t, Variant(Evidence{Spec: v1beta1.MeasurementSpec{ServerType: "hsha"}, Proofs: test.proofs, ServerPods: pods, Asked: test.asked})))
		})
	}
}
