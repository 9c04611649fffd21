package experiments

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// agree runs agree.awk on a table and returns what it printed below the header, and its exit status.
func agree(t *testing.T, rows ...string) (lines []string, status int) {
	t.Helper()
	header := "round\tserver\tphase\twarmup\ttarget_rate\top_rate_mid80\tlatency_median_mid80_ms\tlatency_p95_mid80_ms\tlatency_p99_ms"
	awk := exec.Command("awk", "-f", "agree.awk")
	awk.Stdin = strings.NewReader(strings.ReplaceAll(strings.Join(append([]string{header}, rows...), "\n")+"\n", " ", "\t"))
	out, err := awk.Output()
	if err != nil {
		require.IsType(t, &exec.ExitError{}, err)
	}
	return strings.Split(strings.ReplaceAll(strings.TrimSpace(string(out)), "\t", " "), "\n")[1:], awk.ProcessState.ExitCode()
}

func TestLoadsAgreeWithinTheBounds(t *testing.T) {
	for name, test := range map[string]struct {
		rows   []string
		want   []string
		status int
	}{
		"equal": {rows: []string{"1 v50 read-own false 0 100 1 2 3", "1 v50 read-stress false 0 100 1 2 3"},
			want: []string{"v50 read own/stress 1 1.00 1.00 1.00 1.00 yes"}},
		"latencies of closed loops have no bound": {
			rows: []string{"1 v50 read-own false 0 124 9 9 9", "1 v50 read-stress false 0 100 1 1 1"},
			want: []string{"v50 read own/stress 1 1.24 9.00 9.00 9.00 yes"},
		},
		"a rate that is too low": {
			rows:   []string{"1 v50 read-own false 0 79 1 1 1", "1 v50 read-stress false 0 100 1 1 1"},
			want:   []string{"v50 read own/stress 1 0.79 1.00 1.00 1.00 no"},
			status: 1,
		},
		"geometric means over the rounds that both have": {rows: []string{
			"1 v50 read-own false 0 200 1 1 1", "1 v50 read-stress false 0 100 1 1 1",
			"2 v50 read-own false 0 100 1 1 1", "2 v50 read-stress false 0 200 1 1 1",
			"3 v50 read-own false 0 900 1 1 1",
		},
			want: []string{"v50 read own/stress 2 1.00 1.00 1.00 1.00 yes"}},
		"at a constant rate": {
			rows:   []string{"1 v50 rate-own false 300 300 1.2 1.3 1.4", "1 v50 rate-stress false 300 300 1 1 1"},
			want:   []string{"v50 rate own/stress 1 1.00 1.20 1.30 1.40 no"},
			status: 1,
		},
		"latte, which leaves more of the processor to the store": {
			rows:   []string{"1 v50 read-stress false 0 100 1 1 1", "1 v50 read-latte false 0 149 1 1 1", "1 v41 read-stress false 0 100 1 1 1", "1 v41 read-latte false 0 66 1 1 1"},
			want:   []string{"v50 read latte/stress 1 1.49 1.00 1.00 1.00 yes", "v41 read latte/stress 1 0.66 1.00 1.00 1.00 no"},
			status: 1,
		},
		"a store that drifted": {rows: []string{
			"1 v50 read-own false 0 100 1 1 1", "1 v50 read-stress false 0 100 1 1 1", "1 v50 read-again false 0 115 1 1 1",
		},
			want:   []string{"v50 read own/stress 1 1.00 1.00 1.00 1.00 yes", "v50 read again/own 1 1.15 1.00 1.00 1.00 no"},
			status: 1},
		"warm-up and other phases do not count": {
			rows:   []string{"1 v50 read-own true 0 100 1 1 1", "1 v50 read-stress true 0 100 1 1 1", "1 v50 warm false 0 100 1 1 1"},
			want:   []string{},
			status: 1,
		},
	} {
		lines, status := agree(t, test.rows...)
		assert.Equal(t, test.want, lines, name)
		assert.Equal(t, test.status, status, name)
	}
}

func TestPhasesOfCrossChecksNameTheirLoads(t *testing.T) {
	files, err := fs.Glob(Files, "*-crosscheck.yaml")
	require.NoError(t, err)
	require.Len(t, files, 2)
	for _, file := range files {
		text, err := Files.ReadFile(file)
		require.NoError(t, err)
		var experiment struct {
			Spec struct {
				Phases []struct {
					Name, Image, Type string
				}
			}
		}
		require.NoError(t, yaml.Unmarshal(text, &experiment))
		for _, phase := range experiment.Spec.Phases {
			if phase.Type != "Prepare" {
				assert.Regexp(t, "-(own|stress|latte|again)$", phase.Name, file)
				for _, load := range []string{"stress", "latte"} {
					assert.Equal(t, phase.Image == load, strings.HasSuffix(phase.Name, "-"+load), "%s: %s", file, phase.Name)
				}
			}
		}
	}
}

// The header of the experiment tells users the bounds that agree.awk applies.
func TestTheHeaderStatesTheBounds(t *testing.T) {
	program, err := os.ReadFile("agree.awk")
	require.NoError(t, err)
	header, err := os.ReadFile("cassandra-cql-crosscheck.yaml")
	require.NoError(t, err)
	bounds := map[string][]string{}
	for _, found := range regexp.MustCompile(`split\("([0-9. ]+)", (closed|constant), " "\)`).FindAllStringSubmatch(string(program), -1) {
		for _, text := range strings.Fields(found[1]) {
			highest, err := strconv.ParseFloat(text, 64)
			require.NoError(t, err)
			stated := ""
			if highest > 0 {
				stated = fmt.Sprintf("%.2f to %.2f", 1/highest, highest)
			}
			bounds[found[2]] = append(bounds[found[2]], stated)
		}
	}
	require.Len(t, bounds["closed"], 4)
	require.Len(t, bounds["constant"], 4)
	for row, metrics := range map[string][]int{"op rate": {0}, "median, 95th percentile": {1, 2}, "99th percentile": {3}} {
		for _, metric := range metrics {
			line := strings.Join(strings.Fields(fmt.Sprintf("# | %s | %s | %s |", row, bounds["closed"][metric], bounds["constant"][metric])), " ")
			assert.Contains(t, string(header), line)
		}
	}
	lean := regexp.MustCompile(`lean = ([0-9.]+)`).FindStringSubmatch(string(program))
	require.Len(t, lean, 2)
	highest, err := strconv.ParseFloat(lean[1], 64)
	require.NoError(t, err)
	assert.Contains(t, string(header), fmt.Sprintf("# | op rate of latte | %.2f to %.2f | |", 1/highest, highest))
}
