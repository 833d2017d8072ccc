package run

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"bnlab/internal/atomicfile"
	"bnlab/internal/notnull"
	"bnlab/internal/say"
)

// A Record is run.json: what ran, with what, and how long. Beside measured times it is
// all that differs between two runs with the same profile and seed.
type Record struct {
	ID       string  `json:"id"`
	Title    string  `json:"title"`
	Paper    string  `json:"paper,omitempty"`
	Notebook string  `json:"notebook,omitempty"`
	Profile  Profile `json:"profile"`
	Seed     uint64  `json:"seed"`
	Workers  int     `json:"workers"`
	// Config is the experiment's configuration, ConfigHash the SHA-256 of it with
	// the identifier and the revision, Code that of the sources it was computed by
	// (empty when they were not at hand). A notebook reuses results when profile,
	// seed and both hashes agree.
	Config     json.RawMessage   `json:"config"`
	ConfigHash string            `json:"config_sha256"`
	Code       string            `json:"code_sha256,omitempty"`
	Data       map[string]string `json:"data_sha256,omitempty"`
	// Lacking is what could not be had, and what would bring it: the results are without it.
	Lacking map[string]string `json:"lacking,omitempty"`
	// Measured are the columns of each table, by its name without .csv, that were measured while the experiment ran
	// (see [Table.Measure]), and under "claims" the texts of claims about such values (see [Statement]). Two runs
	// differ in them, and in pictures of them.
	Measured  map[string][]string `json:"measured,omitempty"`
	Go        string              `json:"go"`
	Platform  string              `json:"platform"`
	Processor string              `json:"processor,omitempty"`
	Modules   map[string]string   `json:"modules,omitempty"`
	Started   time.Time           `json:"started"`
	Seconds   float64             `json:"seconds"`
	Steps     []Step              `json:"steps"`
}

// modules lists the versions of the modules in this program.
func modules() map[string]string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	m := make(map[string]string)
	if info.Main.Path != "" {
		m[info.Main.Path] = info.Main.Version
	}
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			dep = dep.Replace
		}
		m[dep.Path] = dep.Version
	}
	return m
}

func newRecord(e Experiment, o Options) (Record, error) {
	info := e.Info()
	config, hash, err := configHash(e, o)
	if err != nil {
		return Record{}, err
	}
	return Record{
		ID: info.ID, Title: info.Title, Paper: info.Paper, Notebook: info.Notebook,
		Profile: o.profile(), Seed: o.Seed, Workers: o.Workers,
		Config: config, ConfigHash: hash, Code: codeHash(info.ID),
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Processor: processor(), Modules: modules(),
		Started: time.Now().Round(time.Second),
	}, nil
}

// processor is the name of this machine's, where Linux says it.
func processor() string {
	b, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(b)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func (r Record) write(dir string) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(dir, "run.json"), append(b, '\n'))
}

func readRecord(dir string) (Record, error) {
	path := filepath.Join(dir, "run.json")
	b, err := os.ReadFile(path)
	if err != nil {
		return Record{}, err
	}
	var r Record
	if err := notnull.Unmarshal(b, &r); err != nil {
		return Record{}, say.Errorf("%s: %w", path, err)
	}
	return r, nil
}
