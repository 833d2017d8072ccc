package scale

import "bnlab/experiments/run"

// Config is the size of the experiment.
type Config struct {
	Rows    []int // ascending
	Repeats int   // runs of each task that takes, with the opening, less than a second; the fastest is shown
	Chunk   int   // rows drawn from one random stream

	// Folder is where the files are kept; empty means build/scale of the checkout, or else a
	// folder of the system's for temporary files.
	Folder string `json:"-"`

	Classes    int // states of the hidden variable
	Observed   int // its children: the first columns
	Iterations int // of EM at most

	Growth        map[string][]int // sizes of the tasks in growthtasks.go, ascending
	GrowthSeconds float64          // of processor time at least, by as many calls as it takes
	GrowthRepeats int              // the fastest is shown

	Sample int `json:",omitempty"` // rows that decide the way of a further climb; 0 for none
	// Climbed is the most rows that a climb is asked to count at each step; 0 for all. Beyond it only the climb that a
	// sample decides is measured.
	Climbed int `json:",omitempty"`
}

// beyond reports whether so many rows are too many for a climb that counts all of them at each step.
func (c Config) beyond(rows int) bool { return c.Climbed > 0 && rows > c.Climbed }

// ConfigFor returns the setting of a profile.
func ConfigFor(p run.Profile) Config {
	c := Config{
		Rows: []int{10_000, 1_000_000}, Repeats: 3, Chunk: 1 << 16,
		Classes: 3, Observed: 8, Iterations: 100,
		Growth: map[string][]int{
			"rows": {10_000, 30_000, 100_000}, "variables": {25, 50, 100}, "states": {16, 32, 64},
			"hidden": {8, 16, 32}, "joint": {64, 256, 1024}, "statements": {25, 50, 100},
		},
		GrowthSeconds: 0.02, GrowthRepeats: 2,
	}
	if p != run.Quick {
		c.Growth = map[string][]int{
			"rows": {10_000, 30_000, 100_000, 300_000, 1_000_000}, "variables": {25, 50, 100, 200, 400},
			"states": {16, 32, 64, 128, 256}, "hidden": {8, 16, 32, 64, 128},
			"joint": {64, 256, 1024, 4096}, "statements": {25, 50, 100, 200, 400},
		}
		c.GrowthSeconds, c.GrowthRepeats = 0.1, 5
		c.Rows = []int{10_000, 100_000, 1_000_000, 10_000_000}
	}
	if p == run.Large {
		c.Rows = append(c.Rows, 100_000_000)
		c.Sample, c.Climbed = 200_000, 10_000_000
	}
	return c
}
