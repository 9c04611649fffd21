package history

import (
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/snappy"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"ringside.dev/ringside/operators/internal/problem"
)

var at = time.UnixMilli(1_793_494_800_250)

func numbered(metric string, samples int) MetricSeries {
	s := MetricSeries{Metric: metric, Labels: map[string]string{"zone": "a", "Up": "x"}}
	for i := range samples {
		s.Samples = append(s.Samples, Sample{At: at.Add(time.Duration(i) * time.Hour), Value: float64(i) + 0.5})
	}
	return s
}

// fieldsOf returns the content of the fields of a message with a number: bytes, or the bits of a number.
func fieldsOf(t *testing.T, message []byte, number protowire.Number) (contents [][]byte, bits []uint64) {
	t.Helper()
	for len(message) > 0 {
		found, kind, n := protowire.ConsumeTag(message)
		require.Positive(t, n)
		message = message[n:]
		size := protowire.ConsumeFieldValue(found, kind, message)
		require.Positive(t, size)
		if value := message[:size]; found == number {
			switch kind {
			case protowire.BytesType:
				content, _ := protowire.ConsumeBytes(value)
				contents = append(contents, content)
			case protowire.VarintType:
				number, _ := protowire.ConsumeVarint(value)
				bits = append(bits, number)
			default:
				number, _ := protowire.ConsumeFixed64(value)
				bits = append(bits, number)
			}
		}
		message = message[size:]
	}
	return contents, bits
}

// decoded returns the first series of a request.
func decoded(t *testing.T, request []byte) (labels [][2]string, samples []Sample) {
	t.Helper()
	all, _ := fieldsOf(t, request, requestSeries)
	pairs, _ := fieldsOf(t, all[0], seriesLabels)
	for _, pair := range pairs {
		name, _ := fieldsOf(t, pair, labelName)
		value, _ := fieldsOf(t, pair, labelValue)
		labels = append(labels, [2]string{string(name[0]), string(value[0])})
	}
	encoded, _ := fieldsOf(t, all[0], seriesSamples)
	for _, sample := range encoded {
		_, value := fieldsOf(t, sample, sampleValue)
		_, at := fieldsOf(t, sample, sampleTimestamp)
		samples = append(samples, Sample{At: time.UnixMilli(int64(at[0])), Value: math.Float64frombits(value[0])})
	}
	return labels, samples
}

func TestReceiversReadWhatIsSent(t *testing.T) {
	var received [][]byte
	var headers []http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		content, err := snappy.Decode(nil, body)
		assert.NoError(t, err)
		received, headers = append(received, content), append(headers, r.Header)
		w.WriteHeader(http.StatusNoContent)
	}))
	defer server.Close()
	require.NoError(t, Push(t.Context(), server.URL, "Bearer secret", []MetricSeries{numbered("a", most-1), numbered("b", 2), numbered("c", most+1)}))
	require.Len(t, received, 3, "a series is whole, and requests are small")
	labels, samples := decoded(t, received[1])
	assert.Equal(t, [][2]string{{"Up", "x"}, {"__name__", "b"}, {"zone", "a"}}, labels, "sorted")
	assert.Equal(t, numbered("b", 2).Samples, samples)
	_, samples = decoded(t, received[2])
	assert.Len(t, samples, most+1)
	for name, want := range map[string]string{"Content-Encoding": "snappy", "Content-Type": "application/x-protobuf", "X-Prometheus-Remote-Write-Version": "0.1.0",
		"Authorization": "Bearer secret"} {
		assert.Equal(t, want, headers[0].Get(name))
	}
}

func TestRejectionsSayWhatToDo(t *testing.T) {
	for answer, says := range map[string]string{
		"400 out of bounds\n":  "400 Bad Request: out of bounds: let the server accept samples as old as the oldest run, in Prometheus with storage.tsdb.out_of_order_time_window",
		"400 too old sample\n": "400 Bad Request: too old sample: let the server accept samples as old as",
		"302 ":                 `302 Found: use the address that the server redirects to`,
		"401 ":                 `401 Unauthorized: set RINGSIDE_PUSH_AUTHORIZATION to the value of the header Authorization`,
		"404 page not found":   "404 Not Found: page not found: use the address of the remote-write endpoint",
		"500 broken":           "500 Internal Server Error: broken: read the log of the server",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			status := map[string]int{"302": 302, "400": 400, "401": 401, "404": 404, "500": 500}[answer[:3]]
			if status == http.StatusFound {
				w.Header().Set("Location", "/elsewhere") // which answers everything with 200
			}
			if r.URL.Path == "/elsewhere" {
				status = http.StatusOK
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, answer[4:])
		}))
		err := Push(t.Context(), strings.Replace(server.URL, "http://", "http://me:hidden@", 1)+"?token=hidden", "", []MetricSeries{numbered("a", 1)})
		require.ErrorContains(t, err, says)
		assert.True(t, problem.IsUnavailable(err))
		assert.NotContains(t, err.Error(), "hidden")
		server.Close()
		err = Push(t.Context(), server.URL, "", []MetricSeries{numbered("a", 1)})
		require.ErrorContains(t, err, "connection refused: check that the address can be reached")
	}
}
