package results

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
)

// codec writes a field as a cell and reads it back. The round trip is exact, except for figures, which the file rounds.
type codec[T any] struct {
	unit   string
	encode func(T) string
	decode func(string) (T, error)
	// number returns the field as a number of units; nil if the field is not a figure.
	number func(T) float64
	// format writes a number of units in the format of encode.
	format func(float64) string
}

// Separator separates several reasons or warnings in one cell.
const Separator = "; "

func text[T ~string]() codec[T] {
	return codec[T]{encode: func(v T) string { return string(v) }, decode: func(s string) (T, error) { return T(s), nil }}
}

// oneOf is the codec of one of several values, each by its word. An unknown word is kept.
func oneOf[T interface {
	~string
	fmt.Stringer
}](all []T) codec[T] {
	return codec[T]{encode: T.String, decode: func(s string) (T, error) {
		if at := slices.IndexFunc(all, func(v T) bool { return v.String() == s }); at >= 0 {
			return all[at], nil
		}
		return T(s), nil
	}}
}

// lines is the codec of several sentences in one cell.
func lines() codec[[]string] {
	return codec[[]string]{
		encode: func(v []string) string { return strings.Join(v, Separator) },
		decode: func(s string) ([]string, error) {
			if s == "" {
				return nil, nil
			}
			return strings.Split(s, Separator), nil
		},
	}
}

// words is the codec of several words in one cell.
func words[T ~string]() codec[[]T] {
	return codec[[]T]{
		encode: func(v []T) string {
			all := make([]string, len(v))
			for i, word := range v {
				all[i] = string(word)
			}
			return strings.Join(all, " ")
		},
		decode: func(s string) ([]T, error) {
			var all []T
			for word := range strings.FieldsSeq(s) {
				all = append(all, T(word))
			}
			return all, nil
		},
	}
}

// outcomes is the codec of counts by name in one cell: hit=600 miss=400.
func outcomes() codec[[]v1beta1.Outcome] {
	return counts("an outcome, as in hit=600", v1beta1.IsOutcomeName,
		func(o v1beta1.Outcome) (string, int64) { return o.Name, o.Count },
		func(name string, n int64) v1beta1.Outcome { return v1beta1.Outcome{Name: name, Count: n} })
}

// errorKinds is the codec of error counts by kind in one cell: refused=3 timed-out=12.
func errorKinds() codec[[]v1beta1.ErrorCount] {
	return counts("errors of a kind, as in timed-out=12",
		func(name string) bool { return slices.Contains(v1beta1.ErrorKinds(), v1beta1.ErrorKind(name)) },
		func(e v1beta1.ErrorCount) (string, int64) { return string(e.Kind), e.Count },
		func(name string, n int64) v1beta1.ErrorCount {
			return v1beta1.ErrorCount{Kind: v1beta1.ErrorKind(name), Count: n}
		})
}

// counts is the codec of counts by name in one cell; what describes one count in error messages.
func counts[T any](what string, named func(string) bool, split func(T) (string, int64), of func(string, int64) T) codec[[]T] {
	return codec[[]T]{
		encode: func(v []T) string {
			words := make([]string, len(v))
			for i, one := range v {
				name, n := split(one)
				words[i] = fmt.Sprintf("%s=%d", name, n)
			}
			return strings.Join(words, " ")
		},
		decode: func(s string) ([]T, error) {
			var out []T
			for word := range strings.FieldsSeq(s) {
				name, digits, _ := strings.Cut(word, "=")
				n, err := strconv.ParseInt(digits, 10, 64)
				if err != nil || !named(name) {
					return nil, notA(errors.New("no count"), word, "count of "+what)
				}
				out = append(out, of(name, n))
			}
			return out, nil
		},
	}
}

// whole is the codec of integers. An empty cell, as in older files, is 0.
func whole[T int | int64]() codec[T] {
	return codec[T]{
		encode: func(v T) string { return strconv.FormatInt(int64(v), 10) },
		decode: func(s string) (T, error) {
			if s == "" {
				return 0, nil
			}
			v, err := strconv.ParseInt(s, 10, 64)
			if err == nil && v < 0 {
				err = errNoFigure
			}
			return T(v), notA(err, s, "whole number from 0 on")
		},
		number: func(v T) float64 { return float64(v) },
		format: func(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) },
	}
}

// ordinal is the codec of numbers that start at 1. An empty cell, as in older files, is 1.
func ordinal() codec[int] {
	c := whole[int]()
	plain := c.decode
	c.decode = func(s string) (int, error) {
		v, err := plain(s)
		return max(v, 1), err
	}
	return c
}

func flag() codec[bool] {
	return codec[bool]{
		encode: strconv.FormatBool,
		decode: func(s string) (bool, error) { return s == "true", nil },
	}
}

const instantLayout = "2006-01-02T15:04:05.000000Z"

func instant() codec[time.Time] {
	return codec[time.Time]{
		encode: func(v time.Time) string {
			if v.IsZero() {
				return ""
			}
			return v.UTC().Format(instantLayout)
		},
		decode: func(s string) (time.Time, error) {
			if s == "" {
				return time.Time{}, nil
			}
			v, err := time.Parse(time.RFC3339Nano, s)
			return v.UTC(), notA(err, s, "time")
		},
	}
}

// perSecond is the codec of a rate, with one decimal.
func perSecond() codec[float64] {
	format := func(v float64) string { return string(measure.Rate(v)) }
	return codec[float64]{unit: "1/s", encode: format, decode: number, number: func(v float64) float64 { return v }, format: format}
}

// milliseconds is the codec of a latency, with three decimals.
func milliseconds() codec[time.Duration] {
	return codec[time.Duration]{
		unit:   "ms",
		encode: func(v time.Duration) string { return string(measure.Millis(v.Nanoseconds())) },
		decode: func(s string) (time.Duration, error) { return durationOf(s, time.Millisecond) },
		number: func(v time.Duration) float64 { return float64(v) / float64(time.Millisecond) },
		format: func(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) },
	}
}

// microseconds is the codec of a CPU time, with one decimal.
func microseconds() codec[time.Duration] {
	return codec[time.Duration]{
		unit:   "µs",
		encode: func(v time.Duration) string { return string(measure.Micros(float64(v.Nanoseconds()))) },
		decode: func(s string) (time.Duration, error) { return durationOf(s, time.Microsecond) },
		number: func(v time.Duration) float64 { return float64(v) / float64(time.Microsecond) },
		format: func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) },
	}
}

// cores is the codec of CPU time divided by elapsed time, with four decimals.
func cores() codec[float64] {
	format := func(v float64) string { return string(measure.Cores(v)) }
	return codec[float64]{unit: "cores", encode: format, decode: number, number: func(v float64) float64 { return v }, format: format}
}

// times is the codec of a mean count of events, with two decimals.
func times() codec[float64] {
	format := func(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }
	return codec[float64]{unit: "times", encode: format, decode: number, number: func(v float64) float64 { return v }, format: format}
}

// amplification is the codec of a ratio of bytes, with three decimals.
func amplification() codec[float64] {
	format := func(v float64) string { return string(measure.Times(v)) }
	return codec[float64]{unit: "times", encode: format, decode: number, number: func(v float64) float64 { return v }, format: format}
}

// meanBytes is the codec of a mean number of bytes, with one decimal.
func meanBytes() codec[float64] {
	format := func(v float64) string { return string(measure.Bytes(v)) }
	return codec[float64]{unit: "B", encode: format, decode: number, number: func(v float64) float64 { return v }, format: format}
}

// seconds is the codec of a duration in seconds. With -1 decimals, it writes as many as the value has.
func seconds(decimals int) codec[time.Duration] {
	format := func(v float64) string { return strconv.FormatFloat(v, 'f', decimals, 64) }
	return codec[time.Duration]{
		unit:   "s",
		encode: func(v time.Duration) string { return format(v.Seconds()) },
		decode: func(s string) (time.Duration, error) { return durationOf(s, time.Second) },
		number: time.Duration.Seconds,
		format: format,
	}
}

// optional writes an unknown value as an empty cell.
func optional[T any](inner codec[T]) codec[Optional[T]] {
	return codec[Optional[T]]{
		unit: inner.unit,
		encode: func(v Optional[T]) string {
			if !v.Known {
				return ""
			}
			return inner.encode(v.Value)
		},
		decode: func(s string) (Optional[T], error) {
			if s == "" {
				return Optional[T]{}, nil
			}
			v, err := inner.decode(s)
			return Optional[T]{v, err == nil}, err
		},
		number: func(v Optional[T]) float64 {
			if !v.Known {
				return math.NaN()
			}
			return inner.number(v.Value)
		},
		format: inner.format,
	}
}

func number(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err == nil && (math.IsNaN(v) || math.IsInf(v, 0) || v < 0) {
		err = errNoFigure
	}
	return v, notA(err, s, "figure: a number from 0 on")
}

// errNoFigure reports a number that no measurement can have: none, infinite or negative.
var errNoFigure = errors.New("no figure")

func durationOf(s string, unit time.Duration) (time.Duration, error) {
	v, err := number(s)
	return time.Duration(math.Round(v * float64(unit))), err
}

func notA(err error, cell, kind string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%q is no %s", cell, kind)
}
