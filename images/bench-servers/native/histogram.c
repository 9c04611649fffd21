#include "histogram.h"

#include <inttypes.h>
#include <string.h>

static const int64_t LONGEST = INT64_C(60000000000);

void histogram_reset(struct histogram *histogram) { memset(histogram, 0, sizeof *histogram); }

void histogram_record(struct histogram *histogram, int64_t nanos) {
    uint64_t value = (uint64_t)(nanos < 0 ? 0 : nanos > LONGEST ? LONGEST : nanos);
    /* The bits by which values of this size are rounded: 0 up to 2,047. */
    int shift = 64 - SUB_BUCKET_BITS - __builtin_clzll(value | ((1u << SUB_BUCKET_BITS) - 1));
    histogram->counts[((size_t)shift << HALF_BITS) + (value >> shift)]++;
}

/* Returns the smallest value of a bucket. */
static uint64_t smallest(size_t bucket) {
    if (bucket < 1u << SUB_BUCKET_BITS) {
        return bucket;
    }
    size_t shift = (bucket >> HALF_BITS) - 1;
    return (uint64_t)(bucket - (shift << HALF_BITS)) << shift;
}

void histogram_print(const struct histogram *histogram, FILE *to) {
    const char *separator = "";
    for (size_t bucket = 0; bucket < BUCKETS; bucket++) {
        if (histogram->counts[bucket] > 0) {
            fprintf(to, "%s%" PRIu64 ":%" PRIu64, separator, smallest(bucket), histogram->counts[bucket]);
            separator = ",";
        }
    }
    if (*separator == '\0') {
        fputc('-', to);
    }
}
