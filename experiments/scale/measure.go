package scale

import (
	"bytes"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// A usage is what a task took. Peak and processor are negative where they cannot be had.
type usage struct {
	seconds   float64 // by the clock
	processor float64 // seconds, of all threads
	peak      float64 // MB (10^6 bytes) over the resident set before
}

// fastest is the least time of two runs, and the most memory.
func (u usage) fastest(v usage) usage {
	return usage{min(u.seconds, v.seconds), min(u.processor, v.processor), max(u.peak, v.peak)}
}

// settle collects garbage and gives its memory back, and returns the resident set, in bytes, or
// −1.
func settle() int64 {
	runtime.GC()
	debug.FreeOSMemory()
	return status("VmRSS:")
}

// measure runs f. base is the resident set that does not count.
func measure(base int64, f func() error) (usage, error) {
	settle()
	reset := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil
	before, start := processor(), time.Now()
	err := f()
	u := usage{seconds: time.Since(start).Seconds(), processor: -1, peak: -1}
	if after := processor(); after >= 0 && before >= 0 {
		u.processor = after - before
	}
	if top := status("VmHWM:"); reset && top >= 0 && base >= 0 {
		u.peak = float64(max(0, top-base)) / 1e6
	}
	return u, err
}

// status returns a line of /proc/self/status in bytes, or −1 where there is none.
func status(key string) int64 { return kilobytes("/proc/self/status", key) }

// available is the memory that programs can have without swapping, in bytes, or −1.
func available() int64 { return kilobytes("/proc/meminfo", "MemAvailable:") }

// kilobytes reads a line such as "VmHWM:  1234 kB", in bytes.
func kilobytes(path, key string) int64 {
	b, err := os.ReadFile(path)
	if err != nil {
		return -1
	}
	for line := range bytes.Lines(b) {
		rest, ok := strings.CutPrefix(string(line), key)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
		if err != nil {
			return -1
		}
		return n * 1024
	}
	return -1
}
