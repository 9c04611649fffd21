package compare

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
)

// ranWith gives each of the run's rows a measurement with the proof of its server.
func ranWith(run *archive.Run, proofs map[string]v1beta1.Proof) *archive.Run {
	run.Measurements = map[string]*v1beta1.Measurement{}
	for i := range run.Rows {
		row := &run.Rows[i]
		row.Measurement = fmt.Sprintf("%s-%d", row.Server, row.Round)
		proof := proofs[row.Server]
		run.Measurements[row.Measurement] = &v1beta1.Measurement{Status: v1beta1.MeasurementStatus{Proof: &proof}}
	}
	return run
}

func reads(count, digest string) v1beta1.Proof {
	return v1beta1.Proof{Class: "c.D", SettingsSHA256: digest, Settings: map[string]string{"concurrent_reads": count, "jvm.collectors": "G1"},
		Proves: []string{"cassandra", "jvmOptions", "variants.*.collector"}, Environment: map[string]string{"jvm": "8", "jvm_flags": "of one pod " + count + digest}}
}

func variants(values map[string]string) *v1beta1.Experiment {
	experiment := &v1beta1.Experiment{}
	for _, name := range []string{"base", "fewer"} {
		server := v1beta1.ServerSpec{Name: name, Type: "disruptor"}
		if text := values[name]; text != "" {
			server.Values = &apiextensionsv1.JSON{Raw: []byte(text)}
		}
		experiment.Spec.Servers = append(experiment.Spec.Servers, server)
	}
	return experiment
}

func TestVariantsAreComparedAsTheyRan(t *testing.T) {
	const fewer = `{"cassandra":{"concurrent_reads":16}}`
	for name, test := range map[string]struct {
		values      map[string]string
		base, other v1beta1.Proof
		aa          bool
		differ      string
	}{
		"ran as asked":                  {map[string]string{"fewer": fewer}, reads("32", "1"), reads("16", "2"), false, "concurrent_reads 32, 16"},
		"asked to differ and ran alike": {map[string]string{"fewer": fewer}, reads("32", "1"), reads("32", "1"), true, "none"},
		"both asked the same":           {map[string]string{"base": fewer, "fewer": fewer}, reads("16", "1"), reads("16", "1"), true, "none"},
		"differ in what nothing proves": {map[string]string{"fewer": `{"resources":{"limits":{"cpu":"1"}}}`}, reads("32", "1"), reads("32", "1"), false, "none"},
		"asked deeper and ran alike":    {map[string]string{"fewer": `{"variants":{"v50":{"collector":"ZGC"}}}`}, reads("32", "1"), reads("32", "1"), true, "none"},
		"differ beside what is proved":  {map[string]string{"fewer": `{"variants":{"v50":{"note":"ZGC"}}}`}, reads("32", "1"), reads("32", "1"), false, "none"},
		"differ in what is not kept":    {map[string]string{"fewer": fewer}, reads("32", "1"), reads("32", "2"), false, "some that are not recorded"},
		"no settings are reported":      {map[string]string{"fewer": fewer}, v1beta1.Proof{Class: "c.D"}, v1beta1.Proof{Class: "c.D"}, false, ""},
		"one reports none":              {map[string]string{"fewer": fewer}, reads("32", "1"), v1beta1.Proof{Class: "c.D"}, false, ""},
		"another class":                 {map[string]string{"fewer": fewer}, reads("32", "1"), func() v1beta1.Proof { p := reads("32", "1"); p.Class = "c.E"; return p }(), false, "none"},
		"nothing asked":                 {nil, reads("32", "1"), reads("32", "1"), true, "none"},
	} {
		t.Run(name, func(t *testing.T) {
			run := ranWith(runOf(rates("base", "disruptor", 1000, 2000, 1500, 1200), rates("fewer", "disruptor", 790, 1610, 1190, 960)),
				map[string]v1beta1.Proof{"base": test.base, "fewer": test.other})
			run.Experiment = variants(test.values)
			result, err := Within(run, to("base"))
			require.NoError(t, err)
			c := opRateOf(t, result, "fewer")
			assert.Equal(t, test.aa, c.AA)
			assert.Equal(t, test.differ, c.SettingsDiffer)
			const note = "fewer was configured to differ from base, but both ran with the same settings: they are an A/A pair, and not compared as variants"
			if test.aa && test.values != nil {
				assert.Contains(t, result.Notes, note)
				assert.Equal(t, "A/A", c.Statement())
			} else {
				assert.NotContains(t, result.Notes, note)
			}
		})
	}
}

func TestASettingThatChangedBetweenMeasurementsHasAllItsValues(t *testing.T) {
	run := ranWith(runOf(rates("base", "disruptor", 1000, 2000)), map[string]v1beta1.Proof{"base": reads("32", "1")})
	second := reads("48", "2")
	run.Measurements["base-2"].Status.Proof = &second
	settings, known := Arm{run, "base"}.Settings()
	require.True(t, known)
	assert.Equal(t, "32 or 48", settings["concurrent_reads"])
	assert.Empty(t, Arm{run, "base"}.identity())
}
