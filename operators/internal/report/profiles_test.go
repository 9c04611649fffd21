package report

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

// profiled is a run that took profiles of its reads.
func profiled(t *testing.T, edit func(int, *v1beta1.Measurement)) archive.Folder {
	t.Helper()
	phases := windows()
	phases[1].Profile = []v1beta1.ProfileEvent{v1beta1.ProfileCPU, v1beta1.ProfileAlloc}
	experiment := simulated.Experiment("cassandra-duet", "20261121-001500", servers("hsha", "disruptor", "nonblocking"), 2, 0, phases...)
	experiment.Spec.Store.Hosting = v1beta1.HostingShared
	folder, err := simulated.Archive(t.TempDir(), experiment, edit)
	require.NoError(t, err)
	return folder
}

func TestAProfileOfEachServerIsDrawnAndHeldAgainstTheBaselines(t *testing.T) {
	text, page := render(t, profiled(t, nil))
	require.Len(t, page.Profiles, 2)
	for i, title := range []string{"read, cpu", "read, alloc"} {
		section := page.Profiles[i]
		assert.Equal(t, title, section.Title)
		assert.Equal(t, "hsha", section.Baseline)
		assert.Empty(t, section.Missing)
		require.Len(t, section.Graphs, 3)
		for j, server := range []string{"hsha", "disruptor", "nonblocking"} {
			graph := section.Graphs[j]
			assert.Equal(t, server, graph.Server)
			assert.Equal(t, server != "hsha", graph.Differs)
			assert.Equal(t, server != "hsha", strings.Contains(string(graph.SVG), "; hsha "), "what the baseline has is beside it")
			assert.Contains(t, text, string(graph.SVG))
		}
	}
	assert.Contains(t, page.Profiles[0].Graphs[0].Notes[0], "sampled by ctimer", "what really sampled is told")
	assert.NotContains(t, strings.Join(page.Profiles[1].Graphs[0].Notes, "\n"), "sampled by")
	assert.Regexp(t, `^\S+ s in 15 s on 4 nodes, 400 samples$`, page.Profiles[0].Graphs[0].Says)
	assert.Contains(t, page.Profiles[1].Graphs[0].Says, "GiB in 15 s")
	assert.Regexp(t, ` less\d`, string(page.Profiles[0].Graphs[1].SVG), "disruptor hands less over")
	assert.Regexp(t, ` more\d`, string(page.Profiles[0].Graphs[2].SVG))

	table := page.Profiles[0].Groups
	require.NotNil(t, table)
	assert.Equal(t, []string{"share of CPU by thread group", "hsha", "disruptor", "nonblocking"}, table.Columns)
	assert.Equal(t, "worker-#", table.Rows[0][0], "the largest first")
	assert.Equal(t, "others", table.Rows[len(table.Rows)-1][0])
	assert.Nil(t, page.Profiles[1].Groups, "of CPU alone")

	for i, unit := range []string{"s", "iB"} {
		table := page.Profiles[i].Parts
		require.NotNil(t, table)
		assert.Equal(t, []string{"of an operation, by part of the store", "hsha", "disruptor", "nonblocking"}, table.Columns)
		cells := map[string][]string{}
		for _, row := range table.Rows {
			cells[row[0]] = row[1:]
		}
		for _, part := range []string{"garbage collector", "other", "all"} {
			require.Len(t, cells[part], 3, part)
			assert.Regexp(t, `^[1-9]\d*(\.\d+)? ([µm]?s|bytes|[KM]iB)$`, cells[part][0], "of %s, by %s", part, unit)
		}
		assert.Regexp(t, `^0 (ns|bytes)$`, cells["CQL"][0], "the simulated store has none of Cassandra's calls")
		assert.NotEqual(t, cells["all"][0], cells["all"][2])
	}

	assert.Contains(t, text, `<input type="search" id="find"`)
	assert.Equal(t, 1, strings.Count(text, "<script>"))
	ids := regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(text, -1)
	known := map[string]bool{}
	for _, id := range ids {
		assert.False(t, known[id[1]], "%s is used twice", id[1])
		known[id[1]] = true
	}
	for _, outside := range []string{"http://", "https://", "<link rel=\"stylesheet\"", "@import", "url(", "NaN", "ZgotmplZ"} {
		assert.NotContains(t, text, outside)
	}
}

func TestProfilesAreInNoFigure(t *testing.T) {
	with, without := profiled(t, nil), func() archive.Folder {
		experiment := simulated.Experiment("cassandra-duet", "20261121-001500", servers("hsha", "disruptor", "nonblocking"), 2, 0, windows()...)
		experiment.Spec.Store.Hosting = v1beta1.HostingShared
		folder, err := simulated.Archive(t.TempDir(), experiment, nil)
		require.NoError(t, err)
		return folder
	}()
	_, a := render(t, with)
	text, b := render(t, without)
	assert.Equal(t, b.Summary, a.Summary)
	assert.Equal(t, b.Comparison, a.Comparison)
	assert.Equal(t, b.CompareCSV, a.CompareCSV)
	assert.Equal(t, b.Loads, a.Loads)
	assert.Len(t, a.Rows, len(b.Rows)+2*3, "the table of every measurement has them, as such")
	assert.Empty(t, b.Profiles)
	assert.NotContains(t, text, "<script", "nothing of it is in a report without")
	assert.NotContains(t, text, "flame")
}

func TestWhatIsNotInAProfileIsToldBesideIt(t *testing.T) {
	text, page := render(t, profiled(t, func(_ int, m *v1beta1.Measurement) {
		if m.Spec.Profile == nil {
			return
		}
		switch m.Spec.Server {
		case "hsha": // the baseline has none
			m.Status.Result.Profile = &v1beta1.Profile{Event: m.Spec.Profile.Event, LeftOut: []string{"store-0: 501: no <profiler>: add it"}}
		case "disruptor":
			m.Status.Result.Profile.LeftOut = []string{"store-1: connection refused"}
			m.Status.Result.Profile.Engine = "itimer, perf_events"
		case "nonblocking":
			simulated.Invalidate(m, "it is another variant")
		}
	}))
	section := page.Profiles[0]
	assert.Equal(t, []string{"No profile of hsha: left out: store-0: 501: no <profiler>: add it"}, section.Missing)
	assert.Contains(t, text, "no &lt;profiler&gt;")
	assert.Empty(t, section.Baseline)
	require.Len(t, section.Graphs, 2)
	assert.False(t, section.Graphs[0].Differs, "there is nothing to hold it against")
	assert.Contains(t, section.Graphs[0].Notes[0], "sampled by itimer")
	assert.Equal(t, "left out: store-1: connection refused", section.Graphs[0].Notes[1])
	assert.Contains(t, section.Graphs[1].Notes, "invalid: it is another variant")
}
