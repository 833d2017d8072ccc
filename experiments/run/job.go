package run

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"bnlab/datasets"
	"bnlab/internal/say"
)

// A Job is one run of one experiment: what was asked for, and where results go.
// The zero value with a Seed computes on one worker and reports to nobody, which
// is enough for tests; only a Job made by [Execute] can save files.
type Job struct {
	Profile Profile
	Seed    uint64
	Workers int // goroutines of [Job.Replicates]; below 1 means 1

	base     Profile           // whose configuration the settings change
	settings map[string]string // see [Options]
	dir      string            // where files are written until the run is complete
	progress func(step string, done, total int)

	mu      sync.Mutex
	steps   []Step
	since   time.Time
	data    map[string]string
	lacking map[string]string // what would bring it, by what is not there
	claims  []Claim
	// measured are columns by table, and claims under claimsFile, see [Record].
	measured map[string][]string
	err      error // first misuse, reported by Execute
}

// A Step is a named part of a run and its wall time.
type Step struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

// Step ends the step before and begins the next. The wall time of each stands in
// run.json.
func (j *Job) Step(name string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.endStep()
	j.steps, j.since = append(j.steps, Step{Name: name}), time.Now()
}

func (j *Job) endStep() {
	if n := len(j.steps); n > 0 && !j.since.IsZero() {
		j.steps[n-1].Seconds = time.Since(j.since).Seconds()
		j.since = time.Time{}
	}
}

// Progress tells the user that done of total parts of a step are complete. It
// may be called from several goroutines.
func (j *Job) Progress(step string, done, total int) {
	if j.progress == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.progress(step, done, total)
}

// Source returns a random stream that depends on the seed, the replicate and the
// stream's number, and on nothing else. Stream 0 is rand.NewPCG(seed, replicate),
// the one that [Job.Replicates] hands out; the others are for parts of an
// experiment that must not share random numbers with it.
func (j *Job) Source(stream uint32, replicate int) *rand.PCG {
	return rand.NewPCG(j.Seed, uint64(stream)<<32|uint64(uint32(replicate)))
}

// State returns the seed and the stream from which rand.NewPCG goes on as src would: for settings that
// take both in place of a source.
func State(src *rand.PCG) (seed, stream uint64) {
	b, err := src.MarshalBinary() // "pcg:" and the two words
	if err != nil {
		panic(err) // never, see the documentation of rand
	}
	return binary.BigEndian.Uint64(b[4:]), binary.BigEndian.Uint64(b[12:])
}

// UsesData records the SHA-256 of a data set in run.json.
func (j *Job) UsesData(name, sha256 string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.data == nil {
		j.data = make(map[string]string)
	}
	j.data[name] = sha256
}

// measure notes what was measured in a table, or which claims were.
func (j *Job) measure(stem string, what ...string) {
	if len(what) == 0 {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.measured == nil {
		j.measured = make(map[string][]string)
	}
	j.measured[stem] = append(j.measured[stem], what...)
}

// claimsFile is the file of claims without its ending.
const claimsFile = "claims"

// LacksData records in run.json that a file of package datasets cannot be had, so that what was computed without it
// is not taken for complete. err is the error of package datasets.
func (j *Job) LacksData(err error) {
	e, ok := errors.AsType[*datasets.UnavailableError](err)
	switch {
	case !ok:
		j.Lacks(err.Error(), "its error says how")
	case len(e.File.Addresses) == 0:
		j.Lacks(e.File.Path, "BNLAB_DATA, a folder that has it: "+e.HowTo)
	default:
		j.Lacks(e.File.Path, "a connection to the network, or BNLAB_DATA, a folder that has it")
	}
}

// Lacks is [Job.LacksData] of something else, as a database, and of what would bring it.
func (j *Job) Lacks(name, remedy string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.lacking == nil {
		j.lacking = make(map[string]string)
	}
	j.lacking[name] = remedy
}

var fileName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

// path checks a file name of the experiment's own and says where it goes.
func (j *Job) path(stem, ext string) (string, error) {
	if !fileName.MatchString(stem) || stem == claimsFile || stem == "run" {
		return "", say.Errorf("run: file name %q: use lower case letters, digits and hyphens, and not claims or run",
			stem+ext)
	}
	if j.dir == "" {
		return "", say.Errorf("run: this job has no directory to write %q to", stem+ext)
	}
	return filepath.Join(j.dir, stem+ext), nil
}
