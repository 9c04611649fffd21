package measure

import (
	"strconv"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Counters of the bytes that a store reads and writes, and sizes of what it holds (docs/reference/store-contract.md).
const (
	PutBytesCounter     = "put_bytes"
	GotBytesCounter     = "got_bytes"
	WrittenBytesCounter = "written_bytes"
	ReadBytesCounter    = "read_bytes"
	LiveBytesSize       = "live_bytes"
	DiskBytesSize       = "disk_bytes"
)

// PendingCompactionsSize is the number of compactions that a store has yet to do or to end.
const PendingCompactionsSize = "pending_compactions"

// IOCounters returns the counters from which amplification is computed.
func IOCounters() []string {
	return []string{PutBytesCounter, GotBytesCounter, WrittenBytesCounter, ReadBytesCounter}
}

// SizeNames returns the sizes from which amplification is computed.
func SizeNames() []string { return []string{LiveBytesSize, DiskBytesSize} }

// storeIO returns what the store wrote and read from the start of the first pod to the end of the last; nil if a pod of the load has no
// readings. Counters never fall, so that of several readings the least is the first and the most the last, independent of the pods' clocks. The last
// is read after the wait for compactions, if the phase has one.
func storeIO(pods []PodLog) *v1beta1.StoreIO {
	last := pods[0]
	for _, pod := range pods {
		if pod.Readings == nil {
			return nil
		}
		if lastReading(pod) > lastReading(last) {
			last = pod
		}
	}
	grown := func(name string) *int64 {
		var first, most int64
		for i, pod := range pods {
			before, known := pod.Readings.Before[name]
			after, still := pod.Readings.After[name]
			if !known || !still || after < before { // the store restarted
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
	io := &v1beta1.StoreIO{
		PutBytes: grown(PutBytesCounter), GotBytes: grown(GotBytesCounter), WrittenBytes: grown(WrittenBytesCounter), ReadBytes: grown(ReadBytesCounter),
		LiveBytes: size(LiveBytesSize), DiskBytes: size(DiskBytesSize),
	}
	if *io == (v1beta1.StoreIO{}) {
		return nil
	}
	io.WriteAmplification = amplification(io.WrittenBytes, io.PutBytes)
	io.ReadAmplification = amplification(io.ReadBytes, io.GotBytes)
	io.SpaceAmplification = amplification(io.DiskBytes, io.LiveBytes)
	return io
}

// lastReading returns the sum of a pod's last reading: the later, the more.
func lastReading(pod PodLog) (sum int64) {
	for _, value := range pod.Readings.After {
		sum += value
	}
	return sum
}

// amplification returns the ratio of two byte counts; empty if one is unknown or the second is 0.
func amplification(bytes, each *int64) v1beta1.Decimal {
	if ratio, known := QuotientOf(bytes, each); known {
		return Times(ratio)
	}
	return ""
}

// writtenPerOperation returns the bytes written per operation.
func writtenPerOperation(io *v1beta1.StoreIO, operations int64) v1beta1.Decimal {
	if bytes, known := QuotientOf(io.WrittenBytes, &operations); known {
		return Bytes(bytes)
	}
	return ""
}

// QuotientOf returns the quotient of two byte counts; false if one is unknown or the second is 0.
func QuotientOf(bytes, each *int64) (float64, bool) {
	if bytes == nil || each == nil || *each == 0 {
		return 0, false
	}
	return float64(*bytes) / float64(*each), true
}

// Times formats a ratio with three decimals.
func Times(n float64) v1beta1.Decimal { return v1beta1.Decimal(strconv.FormatFloat(n, 'f', 3, 64)) }

// Bytes formats a mean number of bytes with one decimal.
func Bytes(n float64) v1beta1.Decimal { return v1beta1.Decimal(strconv.FormatFloat(n, 'f', 1, 64)) }
