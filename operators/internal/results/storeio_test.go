package results

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func ioCells(row *Row) []string {
	var cells []string
	for _, name := range []string{WriteAmplification, ReadAmplification, SpaceAmplification, WrittenPerOperation} {
		cells = append(cells, MustColumn(name).Encode(row))
	}
	return cells
}

func TestTellsWhatALoadMadeTheStoreWriteAndRead(t *testing.T) {
	m := measured()
	m.Status.Result.Operations = 3000
	m.Status.Result.StoreIO = &v1beta1.StoreIO{
		PutBytes: new(int64(300_000)), WrittenBytes: new(int64(1_000_000)), LiveBytes: new(int64(80_000)), DiskBytes: new(int64(100_000)),
		WriteAmplification: "3.333", SpaceAmplification: "1.250", WrittenPerOp: "333.3",
	}
	row := FromMeasurement(m)
	assert.Equal(t, []string{"3.333", "", "1.250", "333.3"}, ioCells(&row), "what was got is not known, which is not 0")
	assert.InDelta(t, 10.0/3, MustColumn(WriteAmplification).Value(&row), 1e-12, "with the digits that the file rounds away")
	assert.InDelta(t, 1000.0/3, MustColumn(WrittenPerOperation).Value(&row), 1e-9)
	plain := FromMeasurement(measured())
	assert.Equal(t, []string{"", "", "", ""}, ioCells(&plain))
}
