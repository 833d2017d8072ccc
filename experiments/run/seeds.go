package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"bnlab/internal/say"
)

// seedsMark begins what a note says of other seeds.
const seedsMark = "with other seeds: "

// A Tally is how often a claim held over several seeds.
type Tally struct {
	Claim, Source    string
	Yes, No, NA      int
	Profile          Profile
	FirstSeed, Seeds uint64
	Code             string // hash of the sources, as in [Record]
}

// Changes reports whether the verdict was not the same with each seed.
func (t Tally) Changes() bool { return t.Yes > 0 && t.No > 0 || t.Yes+t.No > 0 && t.NA > 0 }

// String is the note of a verdict that changes, as in "yes in 7 of 10 seeds, no in 2 (profile quick)".
func (t Tally) String() string {
	s := fmt.Sprintf("yes in %d of %d seeds", t.Yes, t.Seeds)
	if t.No > 0 && t.NA > 0 {
		s += fmt.Sprintf(", no in %d", t.No)
	}
	return fmt.Sprintf("%s (profile %s)", s, t.Profile)
}

// A census is what is known of the other seeds of a result.
type census struct {
	tallies map[[2]string]Tally
	any     Tally // one of them: they are of the same run
}

// own reports whether the seeds ran with the profile and the code of the result.
func (c census) own(r *Result) bool { return c.any.Profile == r.Profile && c.any.Code == r.Code }

// mark adds to the note of each claim whose verdict changes with the seed how often it held. A finding that comes out
// with some seeds and does not with others is not told apart, if the seeds ran with the profile and code of the result.
func (c census) mark(r *Result, claims []Claim) {
	for k, claim := range claims {
		t, ok := c.tallies[[2]string{claim.Claim, claim.Source}]
		if !ok || !t.Changes() {
			continue
		}
		note := t.String()
		if t.Code != r.Code {
			note += ", another version of the code"
		}
		if t.Yes > 0 && t.No > 0 && claim.Kind == Finding && claim.Holds != NotJudged && c.own(r) {
			note += fmt.Sprintf("; not told apart, %s with seed %d", claim.Holds, r.Seed)
			claims[k].Holds = NotJudged
		}
		claims[k].Note = join(claim.Note, seedsMark+note)
	}
}

// sentence says how the seeds ran, and how many verdicts change.
func (c census) sentence(r *Result, claims []Claim) string {
	if len(c.tallies) == 0 {
		return ""
	}
	changing, without := 0, 0
	for _, claim := range claims {
		t, ok := c.tallies[[2]string{claim.Claim, claim.Source}]
		switch {
		case !ok:
			without++
		case t.Changes():
			changing++
		}
	}
	s := fmt.Sprintf("Seeds %d to %d, profile %s: %d of %d verdicts change", c.any.FirstSeed,
		c.any.FirstSeed+c.any.Seeds-1, c.any.Profile, changing, len(claims)-without)
	if c.any.Code != r.Code {
		s += "; they ran with another version of the code"
	}
	if without > 0 {
		s += fmt.Sprintf("; %d of the claims not among theirs", without)
	}
	return s + "."
}

var seedsHeader = []string{"claim", "source", "yes", "no", "na", "profile", "first_seed", "seeds", "code_sha256"}

// ExecuteSeeds runs the experiment with n seeds from o.Seed on, each as [Execute] does, and writes how often each
// claim held to Out/seeds/ID.csv. The results themselves are not kept. It returns one tally for each claim and
// the claims that failed with any seed. A claim that does not occur with some seed is not judged there.
func ExecuteSeeds(ctx context.Context, e Experiment, o Options, n int) (tallies []Tally, failed []Claim, err error) {
	if n < 1 {
		return nil, nil, fmt.Errorf("%d seeds: at least 1 is needed", n)
	}
	scratch, err := os.MkdirTemp("", "seeds")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(scratch)
	at := make(map[[2]string]int)
	one := o
	one.Out = scratch
	for i := range n {
		one.Seed = o.Seed + uint64(i)
		record, claims, err := Execute(ctx, e, one)
		if err != nil {
			return nil, nil, say.Errorf("seed %d: %w", one.Seed, err)
		}
		for _, c := range claims {
			key := [2]string{c.Claim, c.Source}
			k, ok := at[key]
			if !ok {
				k = len(tallies)
				at[key] = k
				tallies = append(tallies, Tally{Claim: c.Claim, Source: c.Source, Profile: o.Profile,
					FirstSeed: o.Seed, Seeds: uint64(n), Code: record.Code})
			}
			switch c.Holds {
			case Yes:
				tallies[k].Yes++
			case No:
				tallies[k].No++
			}
			if c.Failed() {
				c.Note = join(fmt.Sprintf("seed %d", one.Seed), c.Note)
				failed = append(failed, c)
			}
		}
	}
	for k := range tallies {
		tallies[k].NA = n - tallies[k].Yes - tallies[k].No
	}
	dir := filepath.Join(o.Out, "seeds")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, nil, err
	}
	t := NewTable(seedsHeader...)
	for _, v := range tallies {
		t.Append(v.Claim, v.Source, v.Yes, v.No, v.NA, string(v.Profile), v.FirstSeed, v.Seeds, v.Code)
	}
	return tallies, failed, (&Job{dir: dir}).SaveTable(e.Info().ID+".csv", t)
}

// readSeeds reads Out/seeds/ID.csv; there are no tallies before several seeds have run.
func readSeeds(out, id string) (census, error) {
	path := filepath.Join(out, "seeds", id+".csv")
	rows, err := readRows(path, seedsHeader)
	if errors.Is(err, fs.ErrNotExist) {
		return census{}, nil
	} else if err != nil {
		return census{}, err
	}
	c := census{tallies: make(map[[2]string]Tally, len(rows))}
	for i, v := range rows {
		t := Tally{Claim: v[0], Source: v[1], Profile: Profile(v[5]), Code: v[8]}
		var errs [5]error
		t.Yes, errs[0] = strconv.Atoi(v[2])
		t.No, errs[1] = strconv.Atoi(v[3])
		t.NA, errs[2] = strconv.Atoi(v[4])
		t.FirstSeed, errs[3] = strconv.ParseUint(v[6], 10, 64)
		t.Seeds, errs[4] = strconv.ParseUint(v[7], 10, 64)
		if err := errors.Join(errs[:]...); err != nil {
			return census{}, say.Errorf("%s, row %d: %w", path, i+1, err)
		}
		c.tallies[[2]string{t.Claim, t.Source}], c.any = t, t
	}
	return c, nil
}
