package compare

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/results"
)

// whole returns a run with everything that is known of a run.
func whole() *archive.Run {
	run := runOf(rates("hsha", "hsha", 1000, 1010, 990))
	run.Measurements = map[string]*v1beta1.Measurement{}
	for i := range run.Rows {
		row := &run.Rows[i]
		row.Keys, row.Pods, row.OpsPlanned, row.Measurement = 1000, 1, results.Some[int64](5000), "m"
	}
	m := &v1beta1.Measurement{}
	m.Status.LoadImage = &v1beta1.LoadImage{Reference: "stress:1", Digests: []string{"sha256:a"}}
	node := v1beta1.NodeInfo{Name: "n1", CPUs: "2", Architecture: "amd64", Disk: "ssd", Kernel: "6.1"}
	m.Status.Environment = &v1beta1.Environment{StoreNodes: []v1beta1.NodeInfo{node, node}, LoadNodes: []v1beta1.NodeInfo{node}}
	run.Measurements["m"] = m
	run.Experiment = &v1beta1.Experiment{}
	spec := &run.Experiment.Spec
	spec.Store = v1beta1.StoreSpec{Chart: "cassandra", Hosting: v1beta1.HostingShared, Values: &apiextensionsv1.JSON{Raw: []byte(`{"nodes": 4, "heap": {"max": "1G"}}`)}}
	spec.Servers = []v1beta1.ServerSpec{{Name: "hsha"}}
	spec.Phases = []v1beta1.PhaseSpec{{Name: "fill", Type: v1beta1.PhasePrepare, Threads: 10}, {Name: "read", Interleave: &v1beta1.Interleave{Mode: v1beta1.InterleaveWindows}}}
	return run
}

func TestAChartIsKnownByItsDigestInAnyRegistry(t *testing.T) {
	of := func(chart string) *archive.Run {
		run := whole()
		run.Experiment.Spec.Store.Chart = chart
		return run
	}
	const one = "oci://registry.example/team/postgres@sha256:1"
	for other, want := range map[string][]string{
		one:                                      nil,
		"oci://mirror.example/postgres@sha256:1": nil,
		"oci://registry.example/team/postgres@sha256:2": {"spec.store.chart: postgres@sha256:1 and postgres@sha256:2"},
		"postgres": {"spec.store.chart: postgres@sha256:1 and postgres"},
	} {
		different, unknown := Differences(of(one), of(other), []string{"hsha"})
		assert.Equal(t, want, different, other)
		assert.Empty(t, unknown, other)
	}
}

func TestRunsThatDifferAreNotComparedUnlessAskedTo(t *testing.T) {
	for name, test := range map[string]struct {
		change func(run *archive.Run)
		want   string
	}{
		"nothing":                 {func(*archive.Run) {}, ""},
		"the order of the values": {func(r *archive.Run) { r.Experiment.Spec.Store.Values.Raw = []byte(`{"heap":{"max":"1G"},"nodes":4}`) }, ""},
		"names and kernels of nodes": {func(r *archive.Run) {
			r.Measurements["m"].Status.Environment.StoreNodes[0].Name, r.Measurements["m"].Status.Environment.StoreNodes[0].Kernel = "other", "6.2"
		}, ""},
		"the store's image": {func(r *archive.Run) { r.Rows[0].ImageDigest, r.Rows[0].PluginSHA256 = "sha256:x", "y" }, ""},
		"keys":              {func(r *archive.Run) { r.Rows[0].Keys = 2000 }, "keys: 1000 and 1000 or 2000"},
		"operations": {func(r *archive.Run) {
			for i := range r.Rows {
				r.Rows[i].OpsPlanned = results.Some[int64](6000)
			}
		}, "operations of read: 5000 and 6000"},
		"a duration in their place": {func(r *archive.Run) {
			for i := range r.Rows {
				r.Rows[i].OpsPlanned, r.Rows[i].Duration = results.Optional[int64]{}, results.Some(10*time.Second)
			}
		}, "operations of read: 5000 and those of 10s"},
		"pods": {func(r *archive.Run) {
			for i := range r.Rows {
				r.Rows[i].Pods = 2
			}
		}, "load pods: 1 and 2"},
		"nodes": {func(r *archive.Run) { r.Measurements["m"].Status.Environment.StoreNodes[1].CPUs = "4" },
			"nodes of the store: 2 × amd64 with 2 CPUs, disk ssd and 1 × amd64 with 2 CPUs, disk ssd, 1 × amd64 with 4 CPUs, disk ssd"},
		"store values":      {func(r *archive.Run) { r.Experiment.Spec.Store.Values.Raw = []byte(`{"nodes": 4}`) }, `spec.store.values: {"heap":{"max":"1G"},"nodes":4} and {"nodes":4}`},
		"another store":     {func(r *archive.Run) { r.Experiment.Spec.Store.Chart = "other" }, "spec.store.chart: cassandra and other"},
		"server's values":   {func(r *archive.Run) { r.Experiment.Spec.Servers[0].Values = &apiextensionsv1.JSON{Raw: []byte(`{}`)} }, "spec.servers.hsha.values: none and {}"},
		"server's options":  {func(r *archive.Run) { r.Experiment.Spec.Servers[0].Options = v1beta1.Parameters{"repeat": "0.05"} }, `spec.servers.hsha.options: none and {"repeat":"0.05"}`},
		"server of its own": {func(r *archive.Run) { r.Experiment.Spec.Servers[0].OwnInstance = true }, "spec.servers.hsha.ownInstance: none and true"},
		"load image":        {func(r *archive.Run) { r.Measurements["m"].Status.LoadImage.Digests = []string{"sha256:b"} }, "load image: sha256:a and sha256:b"},
		"load parameters":   {func(r *archive.Run) { r.Experiment.Spec.Load.Parameters = v1beta1.Parameters{"retries": "9"} }, `spec.load.parameters: none and {"retries":"9"}`},
		"load pods' resources": {func(r *archive.Run) {
			r.Experiment.Spec.Load.Resources.Requests = corev1.ResourceList{"cpu": resource.MustParse("500m")}
		}, `spec.load.resources: none and {"requests":{"cpu":"500m"}}`},
		"load pods' placement":         {func(r *archive.Run) { r.Experiment.Spec.Load.NodeSelector = map[string]string{"role": "load"} }, `spec.load.nodeSelector: none and {"role":"load"}`},
		"a gate that places the load":  {func(r *archive.Run) { r.Experiment.Spec.Gates.Colocation = v1beta1.GateWarn }, "spec.gates.colocation: Enforce and Warn"},
		"the same gate by its default": {func(r *archive.Run) { r.Experiment.Spec.Gates.Colocation = v1beta1.GateEnforce }, ""},
		"a gate that does not":         {func(r *archive.Run) { r.Experiment.Spec.Gates.Disk = v1beta1.GateWarn }, ""},
		"load pods' tolerations": {func(r *archive.Run) {
			r.Experiment.Spec.Load.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
		}, `spec.load.tolerations: none and [{"operator":"Exists"}]`},
		"hosting": {func(r *archive.Run) { r.Experiment.Spec.Store.Hosting = v1beta1.HostingDedicated }, "spec.store.hosting: Shared and Dedicated"},
		"how servers take turns": {func(r *archive.Run) {
			turns := r.Experiment.Spec.Phases[1].Interleave
			turns.Mode, turns.Window.Duration, turns.LeadIn.Duration, turns.Reconnect = v1beta1.InterleaveDuet, time.Second, 50*time.Millisecond, true
		}, "spec.phases.read.interleave.leadIn: none and 50ms; spec.phases.read.interleave.mode: Windows and Duet; spec.phases.read.interleave.reconnect: none and true; spec.phases.read.interleave.window: none and 1s"},
		"that servers take turns": {func(r *archive.Run) { r.Experiment.Spec.Phases[1].Interleave = nil }, "spec.phases.read.interleave: given and none"},
		"what filled the store":   {func(r *archive.Run) { r.Experiment.Spec.Phases[0].Threads = 20 }, "spec.phases.fill.threads: 10 and 20"},
		"a phase more": {func(r *archive.Run) {
			r.Experiment.Spec.Phases = append(r.Experiment.Spec.Phases, v1beta1.PhaseSpec{Name: "scan", Repeats: 3})
		}, "spec.phases: fill, read and fill, read, scan"},
		"threads of a row": {func(r *archive.Run) { r.Experiment.Spec.Phases[1].Sweep.Threads = []int32{1, 2} }, ""},
		"another server": {func(r *archive.Run) {
			r.Experiment.Spec.Servers = append(r.Experiment.Spec.Servers, v1beta1.ServerSpec{Name: "x", OwnInstance: true})
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := whole(), whole()
			test.change(b)
			result, err := Runs(a, b, Defaults())
			if test.want == "" {
				require.NoError(t, err)
				assert.NotContains(t, strings.Join(result.Notes, "\n"), "did not measure the same")
				return
			}
			require.ErrorIs(t, err, ErrDifferent)
			assert.ErrorContains(t, err, "("+test.want+")")
			result, err = Runs(a, b, Options{AllowDifferent: true})
			require.NoError(t, err)
			assert.Contains(t, strings.Join(result.Notes, "\n"), "not those of the servers alone: "+test.want)
		})
	}
}

func TestSaysWhatIsNotKnownOfBothRuns(t *testing.T) {
	b := whole()
	b.Experiment, b.Measurements = nil, nil
	result, err := Runs(whole(), b, Defaults())
	require.NoError(t, err)
	notes := strings.Join(result.Notes, "\n")
	assert.Contains(t, notes, "not known for both runs, so possibly different: the spec, load image, nodes of the load, nodes of the store")
	assert.Contains(t, notes, "With one run on each side, the variation from run to run is not in the intervals")
	assert.Equal(t, "between these two runs", result.Comparisons[0].Scope)
}

// A new field of the API is compared until it is left out with a reason.
func TestEveryFieldOfASpecIsComparedOrLeftOutWithAReason(t *testing.T) {
	paths := map[string]bool{}
	var walk func(kind reflect.Type, path string)
	walk = func(kind reflect.Type, path string) {
		for kind.Kind() == reflect.Pointer || kind.Kind() == reflect.Slice {
			kind = kind.Elem()
		}
		if path != "" {
			paths[path] = true
		}
		if !isOurs(kind) {
			return
		}
		for i := range kind.NumField() {
			name, _, _ := strings.Cut(kind.Field(i).Tag.Get("json"), ",")
			walk(kind.Field(i).Type, strings.TrimPrefix(path+"."+name, "."))
		}
	}
	walk(reflect.TypeFor[v1beta1.ExperimentSpec](), "")
	require.Greater(t, len(paths), 80)
	for _, table := range []map[string]string{leftOut, inRows} {
		for path, why := range table {
			assert.True(t, paths[path], "%s is no field of a spec any more", path)
			assert.NotEmpty(t, why, path)
		}
	}

	// Set each field that is not left out, one after the other: the runs must differ in it.
	compared := 0
	for path := range paths {
		if leftOutWith(path) {
			continue
		}
		b := whole()
		if !change(reflect.ValueOf(&b.Experiment.Spec).Elem(), strings.Split(path, ".")) {
			continue // a struct, each of whose fields is a path of its own
		}
		compared++
		different, _ := Differences(whole(), b, []string{"hsha"})
		assert.NotEmpty(t, different, path)
	}
	assert.Greater(t, compared, 30)
}

// leftOutWith reports whether a field, or a struct that contains it, is left out.
func leftOutWith(path string) bool {
	for at := range leftOut {
		if path == at || strings.HasPrefix(path, at+".") {
			return true
		}
	}
	return false
}

// change changes the field at a path, in the first element of a list: the prepare phase, which has no rows. It returns false for a struct.
func change(v reflect.Value, path []string) bool {
	if len(path) == 0 {
		switch {
		case isOurs(v.Type()), v.Kind() == reflect.Pointer && isOurs(v.Type().Elem()), v.Kind() == reflect.Slice && isOurs(v.Type().Elem()) && named(v.Type().Elem()):
			return false
		}
		other := reflect.New(v.Type()).Elem()
		fill(other)
		if reflect.DeepEqual(other.Interface(), v.Interface()) {
			other = reflect.Zero(v.Type())
		}
		v.Set(other)
		return true
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		v = v.Elem()
	}
	if v.Kind() == reflect.Slice {
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		v = v.Index(0)
	}
	for i := range v.NumField() {
		if name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); name == path[0] {
			return change(v.Field(i), path[1:])
		}
	}
	return false
}

// fill sets a value to something.
func fill(v reflect.Value) {
	switch v.Interface().(type) {
	case *apiextensionsv1.JSON:
		v.Set(reflect.ValueOf(&apiextensionsv1.JSON{Raw: []byte(`{"other":1}`)}))
		return
	case corev1.ResourceRequirements:
		v.Set(reflect.ValueOf(corev1.ResourceRequirements{Limits: corev1.ResourceList{"cpu": resource.MustParse("7")}}))
		return
	case *resource.Quantity:
		v.Set(reflect.ValueOf(resource.NewQuantity(7, resource.DecimalSI)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("other")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int32, reflect.Int64:
		v.SetInt(7)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("other").Convert(v.Type().Key()), reflect.ValueOf("other").Convert(v.Type().Elem()))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i))
			}
		}
	}
}

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
