package orders

// offTicks is the least rate from this one on that keeps step with no kernel's ticks, of which there are 100, 250, 300 or 1,000 a second: one
// that has no divisor in common with them.
//
// A profile by timers looks at threads in those ticks, and operations that are due in step with them show it the same moment of each: at
// 3,000 operations and 250 ticks a second one profile showed a quarter of the CPU time that was used, another all of it. At 3,001 a second's
// ticks meet 250 moments, evenly. A closed loop, rate 0, keeps step with nothing.
func offTicks(rate int64) int64 {
	if rate == 0 {
		return 0
	}
	for rate%2 == 0 || rate%3 == 0 || rate%5 == 0 {
		rate++
	}
	return rate
}
