//go:build unix

package scale

import "syscall"

// processor is the processor time of this process so far, in seconds, user and system, or −1
// where it cannot be had.
func processor() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return -1
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}
