package infer

import (
	"math"

	"bnlab/internal/pool"
)

// Options are the options of exact inference. The zero value, and nil, are useful.
type Options struct {
	// MaxCells bounds the entries of the tables that are held at once, each once with a
	// message and once with counts of 8 bytes: of one connected part of what is hidden. Where continuous
	// variables are summed out, the regressions of each configuration of their discrete parents count too.
	// 0 means 1<<27 (2 GiB), and no more than 1<<31−1 is possible.
	MaxCells int
	// Workers is the number of goroutines; 0 means GOMAXPROCS. Results do not depend on it.
	Workers int
}

const (
	defaultMaxCells = 1 << 27
	bytesOfCell     = 16 // a message and a count
)

func (o *Options) maxCells() int {
	if o == nil || o.MaxCells <= 0 {
		return defaultMaxCells
	}
	return min(o.MaxCells, math.MaxInt32)
}

func (o *Options) workers() int {
	if o == nil {
		return pool.Workers(0)
	}
	return pool.Workers(o.Workers)
}
