package run

import (
	"fmt"
	"slices"

	"bnlab/internal/say"
)

// leastDraws are needed for a simultaneous band of so many numbers at 10 %: each number has two draws that are
// farthest out, with ours and theirs together.
func leastDraws(numbers int) int { return 20*numbers - 1 }

// Joint records several published numbers that belong together, such as the rows of a table or a curve. Each of
// our draws has a value for each number. They hold together when they lie in the simultaneous 90 % band: when
// more than a tenth of the draws and the published together are as far out, in the number in which each is farthest
// out by rank. It is not judged in the quick profile, nor with fewer than 19 draws for one number, 39 for two, ….
func (j *Job) Joint(s Statement, published []float64, draws [][]float64) {
	for i, d := range draws {
		if len(d) != len(published) {
			j.misuse(say.Errorf("run: claim %q: draw %d has %d values for %d numbers", s.Claim, i, len(d),
				len(published)))
			return
		}
	}
	pool := append(slices.Clone(draws), published)
	theirs := depth(published, pool)
	out := 0
	for _, d := range draws {
		if depth(d, pool) <= theirs {
			out++
		}
	}
	c := Claim{Statement: s, Paper: fmt.Sprintf("%d numbers together", len(published)),
		Ours:  fmt.Sprintf("%d of %d draws are as far out", out, len(draws)),
		Holds: verdict(float64(out+1) > 0.1*float64(len(draws)+1))}
	if len(draws) < leastDraws(len(published)) {
		c.Holds, c.Note = NotJudged, fmt.Sprintf("%d draws are too few", len(draws))
	}
	c.Note = join(s.Note, c.Note, "judged by ranks over all numbers at once")
	j.number(c)
}

// depth returns how many draws lie beyond x, on the side and in the number where these are fewest.
func depth(x []float64, draws [][]float64) int {
	least := len(draws)
	for k, v := range x {
		below, above := 0, 0
		for _, d := range draws {
			if d[k] <= v {
				below++
			}
			if d[k] >= v {
				above++
			}
		}
		least = min(least, below, above)
	}
	return least
}
