package orders

// offTicks returns the lowest rate of at least the given one that has no common divisor with a kernel's tick rate, which is 100, 250, 300
// or 1,000 a second.
//
// A profile by timers samples threads at these ticks. Operations at a rate in step with them would always be sampled at the same stages: at
// 3,000 operations and 250 ticks a second, one profile showed a quarter of the CPU time used, another all of it. At 3,001, the ticks of a
// second meet 250 different stages. A closed loop, rate 0, is not in step with anything.
func offTicks(rate int64) int64 {
	if rate == 0 {
		return 0
	}
	for rate%2 == 0 || rate%3 == 0 || rate%5 == 0 {
		rate++
	}
	return rate
}
