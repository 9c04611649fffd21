package history

import (
	"maps"
	"math"
	"slices"

	"github.com/klauspost/compress/snappy"
	"google.golang.org/protobuf/encoding/protowire"
)

// Numbers of fields in prometheus.WriteRequest and its parts. These four messages need no generated code, and their package would add that of
// Prometheus's storage to the program.
const (
	requestSeries   = 1
	seriesLabels    = 1
	seriesSamples   = 2
	labelName       = 1
	labelValue      = 2
	sampleValue     = 1
	sampleTimestamp = 2
)

// nameLabel is the label that has the name of a metric.
const nameLabel = "__name__"

// encode returns a compressed prometheus.WriteRequest.
func encode(all []MetricSeries) []byte {
	var request []byte
	for i := range all {
		request = field(request, requestSeries, all[i].encode())
	}
	return snappy.Encode(nil, request)
}

func (s *MetricSeries) encode() (encoded []byte) {
	labels := maps.Clone(s.Labels)
	if labels == nil {
		labels = map[string]string{}
	}
	labels[nameLabel] = s.Metric
	for _, name := range slices.Sorted(maps.Keys(labels)) { // receivers may reject labels in another order
		encoded = field(encoded, seriesLabels, field(field(nil, labelName, []byte(name)), labelValue, []byte(labels[name])))
	}
	for _, sample := range s.Samples {
		value := protowire.AppendFixed64(protowire.AppendTag(nil, sampleValue, protowire.Fixed64Type), math.Float64bits(sample.Value))
		at := protowire.AppendVarint(protowire.AppendTag(nil, sampleTimestamp, protowire.VarintType), uint64(sample.At.UnixMilli()))
		encoded = field(encoded, seriesSamples, append(value, at...))
	}
	return encoded
}

func field(to []byte, number protowire.Number, content []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(to, number, protowire.BytesType), content)
}
