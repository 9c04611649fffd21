package metrics

// Metrics of a store that builds trips from a stream of their points: of each of its servers, with LabelServer.
const (
	// TripPointsReceived counts points that came, TripPoints those that left the queue: into the cache, or because they could not.
	TripPointsReceived = "ringside_trip_points_received_total"
	TripPoints         = "ringside_trip_points_total"
	// TripQueue is how many wait, or are on their way; TripPoolQueue how many tasks wait for a thread.
	TripQueue     = "ringside_trip_queue_length"
	TripPoolQueue = "ringside_trip_pool_queue_length"
	// TripFeedLag is how many records of a server's topic are not in the cache, TripFeedAge how many milliseconds ago the points that it got
	// last from there had been due.
	TripFeedLag = "ringside_trip_feed_lag"
	TripFeedAge = "ringside_trip_feed_age_millis"
	TripBegun   = "ringside_trip_begun_total"
	TripEnded   = "ringside_trip_ended_total"
	// TripGaps counts points that found their trip without those before them, TripRepeated those that were there already.
	TripGaps     = "ringside_trip_gaps_total"
	TripRepeated = "ringside_trip_repeated_points_total"
	// TripPutBytes counts keys and values that were put into the cache.
	TripPutBytes         = "ringside_trip_put_bytes_total"
	TripCacheDiskBytes   = "ringside_trip_cache_disk_bytes"
	TripCacheMemoryBytes = "ringside_trip_cache_memory_bytes"
	TripCacheEntries     = "ringside_trip_cache_entries"
)

// Metrics of its process as a whole: what the kernel had its disks do.
const (
	TripDiskReadBytes    = "ringside_trip_disk_read_bytes_total"
	TripDiskWrittenBytes = "ringside_trip_disk_written_bytes_total"
)
