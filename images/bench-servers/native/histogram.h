/* Counts of times in nanoseconds, by buckets of at most 0.1% of their values: those of an HdrHistogram with three digits. */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <stdint.h>
#include <stdio.h>

enum {
    SUB_BUCKET_BITS = 11,                            /* 2,048 values below the first that is rounded */
    HALF_BITS = SUB_BUCKET_BITS - 1,                 /* later powers of two have half as many buckets */
    POWERS = 36 - SUB_BUCKET_BITS,                   /* powers of two from there to the longest time, 36 bits */
    BUCKETS = (POWERS + 2) << HALF_BITS,
};

struct histogram {
    uint64_t counts[BUCKETS];
};

void histogram_reset(struct histogram *histogram);

/* Counts a time; one beyond a minute counts as a minute. Costs some nanoseconds, without a loop. */
void histogram_record(struct histogram *histogram, int64_t nanos);

/* Writes "value:count,value:count", each value the smallest of its bucket; "-" if nothing was counted. */
void histogram_print(const struct histogram *histogram, FILE *to);

#endif
