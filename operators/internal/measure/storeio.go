package measure

import (
	"strconv"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// What a store counts of bytes, and how much it holds (docs/reference/store-contract.md).
const (
	PutBytesCounter     = "put_bytes"
	GotBytesCounter     = "got_bytes"
	WrittenBytesCounter = "written_bytes"
	ReadBytesCounter    = "read_bytes"
	LiveBytesSize       = "live_bytes"
	DiskBytesSize       = "disk_bytes"
)

// IOCounters are those that amplification is made of, and SizeNames the sizes.
func IOCounters() []string {
	return []string{PutBytesCounter, GotBytesCounter, WrittenBytesCounter, ReadBytesCounter}
}

// SizeNames are the sizes that amplification is made of.
func SizeNames() []string { return []string{LiveBytesSize, DiskBytesSize} }

// storeIO is what the store wrote and read from when the first pod began until the last had ended; nil where a pod of the load was not told.
// Counters never fall: of several readings the least is the first, the most the last, whatever the pods' clocks say.
func storeIO(pods []PodLog) *v1alpha1.StoreIO {
	last := pods[0]
	for _, pod := range pods {
		if pod.Readings == nil {
			return nil
		}
		if pod.Log.End.Add(-pod.Ahead).After(last.Log.End.Add(-last.Ahead)) {
			last = pod
		}
	}
	grown := func(name string) *int64 {
		var first, most int64
		for i, pod := range pods {
			before, known := pod.Readings.Before[name]
			after, still := pod.Readings.After[name]
			if !known || !still || after < before { // it began anew
				return nil
			}
			if i == 0 {
				first, most = before, after
			}
			first, most = min(first, before), max(most, after)
		}
		return new(most - first)
	}
	size := func(name string) *int64 {
		if bytes, told := last.Readings.Sizes[name]; told {
			return new(bytes)
		}
		return nil
	}
	io := &v1alpha1.StoreIO{
		PutBytes: grown(PutBytesCounter), GotBytes: grown(GotBytesCounter), WrittenBytes: grown(WrittenBytesCounter), ReadBytes: grown(ReadBytesCounter),
		LiveBytes: size(LiveBytesSize), DiskBytes: size(DiskBytesSize),
	}
	if *io == (v1alpha1.StoreIO{}) {
		return nil
	}
	io.WriteAmplification = amplification(io.WrittenBytes, io.PutBytes)
	io.ReadAmplification = amplification(io.ReadBytes, io.GotBytes)
	io.SpaceAmplification = amplification(io.DiskBytes, io.LiveBytes)
	return io
}

// amplification is how many bytes there were for each of so many; nothing where one is not known, or there was none to be for.
func amplification(bytes, each *int64) v1alpha1.Decimal {
	if ratio, known := QuotientOf(bytes, each); known {
		return Times(ratio)
	}
	return ""
}

// writtenPerOperation in bytes.
func writtenPerOperation(io *v1alpha1.StoreIO, operations int64) v1alpha1.Decimal {
	if bytes, known := QuotientOf(io.WrittenBytes, &operations); known {
		return Bytes(bytes)
	}
	return ""
}

// QuotientOf two counts of bytes; false where one is not known, or the second is 0.
func QuotientOf(bytes, each *int64) (float64, bool) {
	if bytes == nil || each == nil || *each == 0 {
		return 0, false
	}
	return float64(*bytes) / float64(*each), true
}

// Times formats a ratio with three decimals.
func Times(n float64) v1alpha1.Decimal { return v1alpha1.Decimal(strconv.FormatFloat(n, 'f', 3, 64)) }

// Bytes formats a mean number of bytes with one decimal.
func Bytes(n float64) v1alpha1.Decimal { return v1alpha1.Decimal(strconv.FormatFloat(n, 'f', 1, 64)) }
