// Package history finds the runs from which on a server is faster or slower than before, in all runs of one experiment. It is pure: runs in,
// series and change points out.
//
// A series has one figure per run, of one server under one load by one metric: the ratio to the baseline in the same run, so that a slow
// machine, which slows both, does not look like a slow server. Runs belong to one series only if they measured the same, by the rules of
// compare.Differences.
//
// Change points are found by E-divisive: Matteson and James, "A nonparametric approach for multiple change point analysis of multivariate
// data" (Journal of the American Statistical Association 109, 2014). It bisects a series where the energy distance between both parts is
// largest, as long as a permutation test rejects that the runs of a part are exchangeable. Fleming et al., "Hunter: Using Change Point Detection
// to Hunt for Performance Regressions" (ICPE 2023), and its successor Apache Otava use the same distance, and replaced the permutation test by
// Student's t-test. That test finds a change one run after it, but it is applied to the split that looks best: at Otava's default level of
// 0.1%, it finds changes in about 2.5% of series of 20 equal runs and 4.5% of those of 60 (see testdata/README.md). The permutation test repeats the choice
// of the split in each permutation, so that its level is that of the whole series. It needs a few runs after a change: see RunsAfter.
package history
