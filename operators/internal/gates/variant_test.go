package gates

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestAnInstanceIsProvedByItsOwnName(t *testing.T) {
	evidence := good()
	evidence.Spec.Instance = "hsha-slowed"
	assert.Contains(t, Variant(evidence)[0].Message, "not hsha-slowed")
	for i := range evidence.Proofs {
		evidence.Proofs[i].Server = "hsha-slowed"
	}
	assert.Empty(t, Variant(evidence))
}

func TestWhatRunsIsHeldAgainstWhatWasBuilt(t *testing.T) {
	built := func(plugin string, digests ...string) *v1beta1.Build {
		return &v1beta1.Build{ImageDigests: digests, PluginSHA256: plugin}
	}
	for _, test := range []struct {
		name  string
		store *v1beta1.Build
		load  *v1beta1.LoadImage
		want  []string
	}{
		{"nobody said what was built", nil, &v1beta1.LoadImage{Reference: "r/stress:t", Digests: []string{"sha256:10"}}, nil},
		{"all as built", built("f", "sha256:aa"), &v1beta1.LoadImage{Reference: "r/stress:t", Digests: []string{"sha256:10"}, Built: built("", "sha256:10")}, nil},
		{"one of several digests of the same build", built("sha256:F", "sha256:00", "sha256:aa"), nil, nil},
		{"another store image", built("", "sha256:bb"), nil, []string{
			"variant: store pod s-0 runs image sha256:aa, but sha256:bb was built", "variant: store pod s-1 runs image sha256:aa, but sha256:bb was built"}},
		{"another plugin", built("e", "sha256:aa"), nil, []string{
			"variant: store pod s-0 runs plugin f, but e was built", "variant: store pod s-1 runs plugin f, but e was built"}},
		{"another load image", nil, &v1beta1.LoadImage{Reference: "r/stress:t", Digests: []string{"sha256:10"}, Built: built("", "sha256:11", "sha256:12")}, []string{
			"variant: the load ran image sha256:10, but sha256:11 or sha256:12 was built"}},
		{"load pods of different images", nil, &v1beta1.LoadImage{Reference: "r/stress:t", Digests: []string{"sha256:10", "sha256:11"}, Built: built("", "sha256:10")}, []string{
			"variant: load pods ran different images under r/stress:t: sha256:10, sha256:11", "variant: the load ran image sha256:11, but sha256:10 was built"}},
		{"nodes that report one image in different ways", built("", "sha256:1d", "sha256:aa", "sha256:bb"), &v1beta1.LoadImage{Reference: "r/stress:t", Digests: []string{"sha256:10", "11"}, Built: built("", "sha256:11", "sha256:10")}, nil},
		{"a load whose image no node told", nil, &v1beta1.LoadImage{Reference: "r/stress:t", Built: built("", "sha256:10")}, []string{
			"variant: no node reported which image r/stress:t it ran"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			evidence := good()
			for i := range evidence.Proofs {
				evidence.Proofs[i].ImageDigest = "sha256:aa"
			}
			evidence.StoreBuilt, evidence.LoadImage = test.store, test.load
			assert.Equal(t, test.want, judged(t, evidence).Reasons)
		})
	}
}

func TestAPluginOrImageThatDoesNotShowItselfIsNotWhatWasBuilt(t *testing.T) {
	evidence := good()
	evidence.ServerPods, evidence.Proofs = evidence.ServerPods[:1], evidence.Proofs[:1]
	evidence.Proofs[0].PluginSHA256 = ""
	evidence.StoreBuilt = &v1beta1.Build{ImageDigests: []string{"sha256:aa"}, PluginSHA256: "f"}
	assert.Equal(t, []string{
		"variant: store pod s-0 runs image without a digest, but sha256:aa was built",
		"variant: store pod s-0 runs plugin without a digest, but f was built",
	}, judged(t, evidence).Reasons)
}

func TestStorePodsMayReportOneImageUnderDifferentDigestsOfTheBuild(t *testing.T) {
	evidence := good()
	evidence.Proofs[0].ImageDigest, evidence.Proofs[1].ImageDigest = "sha256:aa", "bb"
	assert.Contains(t, messages(t, Variant(evidence)), "variant: store pods s-0 and s-1 do not run the same build")
	evidence.StoreBuilt = &v1beta1.Build{ImageDigests: []string{"sha256:aa", "sha256:bb"}}
	assert.Empty(t, Variant(evidence))
}

func TestANodeProvesWhatItWasUpgradedToAndNoOtherNodeDoes(t *testing.T) {
	old, became := map[string]string{"version": "4.1.10"}, map[string]string{"version": "5.0.9"}
	runs := func(pod string, settings map[string]string) v1beta1.Proof {
		return v1beta1.Proof{Server: "v41", Class: "c.Server", Pod: pod, Settings: settings, SettingsSHA256: settings["version"]}
	}
	for name, test := range map[string]struct {
		upgraded []string
		proofs   []v1beta1.Proof
		want     []string
	}{
		"as ordered":        {[]string{"s-1"}, []v1beta1.Proof{runs("s-0", old), runs("s-1", became)}, nil},
		"all, one by one":   {[]string{"s-0", "s-1"}, []v1beta1.Proof{runs("s-0", became), runs("s-1", became)}, nil},
		"without an order":  {nil, []v1beta1.Proof{runs("s-0", old), runs("s-1", became)}, []string{"variant: setting version: requested was 4.1.10, but store pod s-1 runs with 5.0.9"}},
		"another node":      {[]string{"s-1"}, []v1beta1.Proof{runs("s-0", became), runs("s-1", became)}, []string{"variant: setting version: requested was 4.1.10, but store pod s-0 runs with 5.0.9"}},
		"still the old one": {[]string{"s-1"}, []v1beta1.Proof{runs("s-0", old), runs("s-1", old)}, []string{"variant: setting version: requested was 5.0.9, but store pod s-1 runs with 4.1.10"}},
		"without a proof":   {[]string{"s-1"}, []v1beta1.Proof{runs("s-0", old)}, []string{"variant: store pod s-1 logged no proof for server v41"}},
	} {
		t.Run(name, func(t *testing.T) {
			evidence := Evidence{Spec: v1beta1.MeasurementSpec{ServerType: "v41"}, Proofs: test.proofs, ServerPods: []string{"s-0", "s-1"}, ExpectedClass: "c.Server", Asked: old, Upgraded: map[string]Promise{}}
			for _, pod := range test.upgraded {
				evidence.Upgraded[pod] = Promise{Class: "c.Server", Asked: became}
			}
			assert.Equal(t, test.want, messages(t, Variant(evidence)))
		})
	}
}

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
