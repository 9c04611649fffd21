package results

import (
	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
)

// StoreIO is the disk use of the store under a load; empty if the store does not report it.
type StoreIO struct {
	// Write, Read and Space are amplifications: bytes per byte.
	Write, Read, Space Optional[float64]
	// WrittenPerOp is bytes written per operation.
	WrittenPerOp Optional[float64]
}

func (s *StoreIO) fill(io *v1beta1.StoreIO, operations int64) {
	for _, at := range []struct {
		field       *Optional[float64]
		decimal     v1beta1.Decimal
		c           codec[float64]
		bytes, each *int64
	}{
		{&s.Write, io.WriteAmplification, amplification(), io.WrittenBytes, io.PutBytes},
		{&s.Read, io.ReadAmplification, amplification(), io.ReadBytes, io.GotBytes},
		{&s.Space, io.SpaceAmplification, amplification(), io.DiskBytes, io.LiveBytes},
		{&s.WrittenPerOp, io.WrittenPerOp, meanBytes(), io.WrittenBytes, &operations},
	} {
		exact, _ := measure.QuotientOf(at.bytes, at.each)
		*at.field = unrounded(at.decimal, at.c, exact)
	}
}
