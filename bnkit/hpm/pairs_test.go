package hpm

import (
	"slices"
	"testing"
)

// TestPairs compares the step for values that meet in pairs, equal ones at once, with that for any blocks. The first
// process of a trial is shown whole and the second by half, so that pairs have two kinds of entries.
func TestPairs(t *testing.T) {
	s := patch.study()
	s.Trials = s.Trials[:9] // five of one order, four of the other
	pairs, blocks := ready(t, s, false), ready(t, s, false)
	if len(pairs.sample.pairs) != 8 {
		t.Fatalf("%d pairs of the 16 values, want 8", len(pairs.sample.pairs))
	}
	same := 0
	for _, q := range pairs.sample.pairs {
		if q.same {
			same++
		}
	}
	if same != 6 {
		t.Errorf("%d pairs are as the one before, want all of two kinds but the first of each", same)
	}
	blocks.sample.pairs = nil
	for _, d := range blocks.sample.designs {
		d.twos = nil
	}
	for _, f := range []*fitter{pairs, blocks} {
		f.fit()
	}
	if !slices.Equal(pairs.p, blocks.p) || !slices.Equal(pairs.errors, blocks.errors) || pairs.sweeps != blocks.sweeps {
		t.Error("pairs and blocks give other bits")
	}
}

// TestTakenBack: after a leap, taken back or not, all is as the step for amplitudes gives it at the values of the
// processes.
func TestTakenBack(t *testing.T) {
	for _, s := range []*Study{patch.study(), blocks(3, 4), shifted(patch.study())} {
		back, on := 0, 0
		for _, crossed := range []bool{false, true} {
			f := ready(t, s, false)
			f.start()
			for i := range f.p { // a start from which leaps fail, too
				f.p[i] += float64(i%3) - 1
			}
			if f.passes = -1 << 20; crossed {
				f.passes = 1 << 20
			}
			f.amplitudes()
			f.old, f.older, f.ahead = make([]float64, len(f.p)), make([]float64, len(f.p)), make([]float64, len(f.p))
			for sweep := range 40 {
				copy(f.older, f.old)
				copy(f.old, f.p)
				f.improve()
				now := f.amplitudes()
				if sweep%2 == 0 {
					continue
				}
				before := slices.Clone(f.p)
				value := f.leap(now)
				if slices.Equal(f.p, before) {
					back++
				} else {
					on++
				}
				got := [][]float64{slices.Clone(f.errors), slices.Clone(f.j)}
				if f.crossed {
					got = append(got, slices.Clone(f.w), slices.Clone(f.right))
				} else {
					got = append(got, slices.Clone(f.c))
				}
				again := f.evaluate()
				want := [][]float64{f.errors, f.j, f.c}
				if f.crossed {
					want = [][]float64{f.errors, f.j, f.w, f.right}
				}
				for i := range want {
					if !slices.Equal(got[i], want[i]) {
						t.Fatalf("sweep %d, crossed %v: slice %d is not what the step gives", sweep, f.crossed, i)
					}
				}
				if value != again {
					t.Fatalf("sweep %d: the value %v, want %v", sweep, value, again)
				}
			}
		}
		if back == 0 || on == 0 {
			t.Errorf("%d leaps taken back and %d not; want some of each", back, on)
		}
	}
}
