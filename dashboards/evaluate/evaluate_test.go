package evaluate

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// prometheus answers each query with the test's answer, in the format of Prometheus's API.
func prometheus(t *testing.T, answers map[string]string) Prometheus {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		require.NoError(t, r.ParseForm())
		key := r.Form.Get("query")
		if label, found := strings.CutPrefix(r.URL.Path, "/api/v1/label/"); found {
			key = strings.TrimSuffix(label, "/values") + " of " + r.Form.Get("match[]")
		}
		answer, known := answers[key]
		if !known {
			w.WriteHeader(http.StatusUnprocessableEntity)
			require.NoError(t, json.NewEncoder(w).Encode(map[string]string{"status": "error", "errorType": "execution", "error": "no answer to " + key}))
			return
		}
		_, err := w.Write([]byte(`{"status":"success","data":` + answer + `}`))
		require.NoError(t, err)
	}))
	t.Cleanup(server.Close)
	client, err := api.NewClient(api.Config{Address: server.URL})
	require.NoError(t, err)
	return v1.NewAPI(client)
}

var halfAnHour = Times{From: time.Unix(1_000_000, 0), To: time.Unix(1_001_800, 0)}

const document = `{
  "title": "Page",
  "templating": {"list": [
    {"name": "datasource", "type": "datasource", "query": "prometheus"},
    {"name": "run", "type": "query", "query": "label_values(info, run)", "sort": 2},
    {"name": "server", "type": "query", "query": "label_values(info{run=\"$run\"}, server)", "multi": true, "includeAll": true, "allValue": ".+",
     "current": {"value": ["$__all"]}}
  ]},
  "panels": [
    {"type": "row", "title": "Row"},
    {"type": "timeseries", "title": "Rate", "interval": "1s", "targets": [{"refId": "A", "expr": "rate(ops{run=\"$run\", server=~\"$server\"}[$__rate_interval])"}]},
    {"type": "bargauge", "title": "Total", "targets": [{"refId": "A", "expr": "total[$__range]", "instant": true}]},
    {"type": "heatmap", "title": "Heat of $server", "repeat": "server", "targets": [{"refId": "A", "expr": "heat{server=~\"$server\"}"}]}
  ],
  "annotations": {"list": [{"name": "Phases", "expr": "active{run=\"${run}\"}", "step": "5s"}]}
}`

func parsed(t *testing.T) []Dashboard {
	t.Helper()
	d, err := Parse("page.json", []byte(document))
	require.NoError(t, err)
	return []Dashboard{d}
}

var healthy = map[string]string{
	`run of info`:                                        `["20261120-080000","20261121-001500"]`,
	`server of info{run="20261121-001500"}`:              `["hsha","disruptor"]`,
	`rate(ops{run="20261121-001500", server=~".+"}[4s])`: `{"resultType":"matrix","result":[{"metric":{},"values":[[1000000,"NaN"],[1000001,"7"]]}]}`,
	`total[30m]`:                                         `{"resultType":"vector","result":[{"metric":{},"value":[1000000,"1"]}]}`,
	`heat{server=~"hsha"}`:                               `{"resultType":"matrix","result":[{"metric":{},"histograms":[[1000000,{"count":"1","sum":"1","buckets":[[0,"0.5","1","1"]]}]]}]}`,
	`heat{server=~"disruptor"}`:                          `{"resultType":"matrix","result":[{"metric":{},"histograms":[[1000000,{"count":"1","sum":"1","buckets":[[0,"0.5","1","1"]]}]]}]}`,
	`active{run="20261121-001500"}`:                      `{"resultType":"matrix","result":[{"metric":{},"values":[[1000000,"1"]]}]}`,
}

func without(key, instead string) map[string]string {
	answers := map[string]string{}
	for k, v := range healthy {
		answers[k] = v
	}
	delete(answers, key)
	if instead != "" {
		answers[key] = instead
	}
	return answers
}

func TestAsksEveryQueryWithTheVariablesThatGrafanaWouldChoose(t *testing.T) {
	answers, err := All(context.Background(), prometheus(t, healthy), parsed(t), nil, halfAnHour)
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, Print(&b, answers))
	assert.Equal(t, `DASHBOARD  PANEL                QUERY  SERIES  POINTS  ANSWER
Page       Rate                 A      1       1       ok
Page       Total                A      1       1       ok
Page       Heat of disruptor    A      1       1       ok
Page       Heat of hsha         A      1       1       ok
Page       Phases (annotation)         1       1       ok
`, b.String())
}

func TestAsksARepeatedRowsPanelsForEachValueAndABaselineInTheOrderOfItsAnswer(t *testing.T) {
	d, err := Parse("page.json", []byte(`{
	  "title": "Page",
	  "templating": {"list": [
	    {"name": "operation", "type": "query", "query": "label_values(info, operation)", "multi": true, "includeAll": true, "allValue": ".+", "current": {"value": ["$__all"]}},
	    {"name": "baseline", "type": "query", "query": "query_result(sort_desc(last[$__range]))", "regex": "/server=\"([^\"]+)\"/"}
	  ]},
	  "panels": [
	    {"type": "row", "title": "Each $operation", "repeat": "operation"},
	    {"type": "bargauge", "title": "Bars of $operation", "targets": [{"refId": "A", "expr": "ops{operation=~\"$operation\"} / base{server=\"$baseline\"}", "instant": true}]},
	    {"type": "row", "title": "Once"},
	    {"type": "bargauge", "title": "All", "targets": [{"refId": "A", "expr": "all / $__range_s", "instant": true}]}
	  ],
	  "annotations": {"list": [{"name": "Phases", "expr": "nothing", "step": "5s"}]}
	}`))
	require.NoError(t, err)
	const one = `{"resultType":"vector","result":[{"metric":{},"value":[1000000,"1"]}]}`
	answers, err := All(context.Background(), prometheus(t, map[string]string{
		"operation of info":                             `["read","write"]`,
		"sort_desc(last[30m])":                          `{"resultType":"vector","result":[{"metric":{"server":"hsha"},"value":[1,"1"]},{"metric":{"server":"disruptor"},"value":[1,"0"]}]}`,
		`ops{operation=~"read"} / base{server="hsha"}`:  one,
		`ops{operation=~"write"} / base{server="hsha"}`: one,
		"all / 1800": one,
		"nothing":    `{"resultType":"matrix","result":[]}`,
	}), []Dashboard{d}, nil, halfAnHour)
	require.NoError(t, err)
	var asked []string
	for _, answer := range answers {
		assert.NoError(t, answer.Fault, answer.Panel)
		asked = append(asked, answer.Panel)
	}
	assert.Equal(t, []string{"Bars of read", "Bars of write", "All", "Phases (annotation)"}, asked)
}

func TestTellsWhatFailsAndWhatIsEmpty(t *testing.T) {
	const rate = `rate(ops{run="20261121-001500", server=~".+"}[4s])`
	for name, test := range map[string]struct {
		answers map[string]string
		given   Values
		says    []string
	}{
		"no series": {
			answers: without(rate, `{"resultType":"matrix","result":[]}`),
			says:    []string{"EMPTY", "1 of 5 queries", "empty answer", rate},
		},
		"nothing but NaN": {
			answers: without(rate, `{"resultType":"matrix","result":[{"metric":{},"values":[[1000000,"NaN"]]}]}`),
			says:    []string{"EMPTY", "1 of 5 queries"},
		},
		"an error": {
			answers: without(rate, ""),
			says:    []string{"FAILED", "1 of 5 queries", "no answer to " + rate},
		},
		"a variable without values": {
			answers: without(`server of info{run="20261121-001500"}`, `[]`),
			says:    []string{"(variables)", `no value of server in info{run="20261121-001500"}`},
		},
		"a run that Prometheus does not know": {
			answers: healthy,
			given:   Values{"run": "20260101-000000"},
			says:    []string{`variable run: Prometheus knows no "20260101-000000"; it knows 20261121-001500, 20261120-080000`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			answers, err := All(context.Background(), prometheus(t, test.answers), parsed(t), test.given, halfAnHour)
			require.NoError(t, err)
			var b strings.Builder
			err = Print(&b, answers)
			require.Error(t, err)
			for _, said := range test.says {
				assert.Contains(t, b.String()+err.Error(), said)
			}
		})
	}
}

func TestRateIntervalsHoldFourScrapesAndGrowWithTheRange(t *testing.T) {
	day := Times{From: halfAnHour.From, To: halfAnHour.From.Add(24 * time.Hour)}
	for name, test := range map[string]struct {
		times    Times
		shortest time.Duration
		want     string
	}{
		"of a panel that asks for every second": {halfAnHour, time.Second, "4s"},
		"of the data source":                    {halfAnHour, 0, "20s"},
		"of a day":                              {day, time.Second, "1m5s"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, interpolate("$__rate_interval", nil, test.times, test.shortest))
		})
	}
}

func TestFindsWhenARunDroveLoad(t *testing.T) {
	now := time.Unix(1_000_500, 0)
	knows := prometheus(t, map[string]string{
		"info": `{"resultType":"matrix","result":[{"metric":{"a":"1"},"values":[[1000100,"1"],[1000200,"1"]]},{"metric":{"a":"2"},"values":[[1000300,"1"]]}]}`,
		"else": `{"resultType":"matrix","result":[]}`,
	})
	times, err := TimesOf(context.Background(), knows, "info", now, time.Hour)
	require.NoError(t, err)
	assert.Equal(t, []int64{1_000_040, 1_000_360}, []int64{times.From.Unix(), times.To.Unix()})

	_, err = TimesOf(context.Background(), knows, "else", now, time.Hour)
	assert.EqualError(t, err, "Prometheus knows nothing of else in the last 1h")
}
