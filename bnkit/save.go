package bnkit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/internal/storednet"
	"bnlab/bnkit/learn"
	"bnlab/internal/atomicfile"
	"bnlab/internal/notnull"
	"bnlab/internal/say"
)

// stored is a model as a file holds it: JSON, numbers with all their digits.
type stored struct {
	Format         string                      `json:"format"` // always modelFormat
	Variables      []storednet.Variable        `json:"variables"`
	Method         string                      `json:"method"`
	Knowledge      json.RawMessage             `json:"knowledge,omitempty"`
	Cases          float64                     `json:"cases"`
	LogLikelihood  float64                     `json:"log_likelihood_nats"`
	Counts         []float64                   `json:"counts,omitempty"`
	Expected       bool                        `json:"counts_are_expected,omitempty"`
	Pseudocounts   []float64                   `json:"pseudocounts,omitempty"`
	Moments        *data.Moments               `json:"moments,omitempty"`
	GaussianPriors []*constraint.GaussianPrior `json:"gaussian_priors,omitempty"`
	Skipped        []float64                   `json:"skipped,omitempty"`
	Flags          []constraint.Flag           `json:"flags,omitempty"`
	Trace          []learn.Step                `json:"trace,omitempty"`
	Hidden         []string                    `json:"hidden,omitempty"`
	Families       []learn.FittedCPD           `json:"families,omitempty"`
	Targets        []string                    `json:"targets,omitempty"`
	Weight         float64                     `json:"violation_weight,omitempty"`
	Unsolved       bool                        `json:"not_the_maximum_for_counts,omitempty"`
	Means          *learn.Means                `json:"posterior_means,omitempty"`
	Weighing       *learn.Weighing             `json:"weighing,omitempty"`
	Starts         int                         `json:"starts,omitempty"`
	Agreed         int                         `json:"agreed_starts,omitempty"`
	Failed         []string                    `json:"failed_starts,omitempty"`
	Planned        int                         `json:"planned_starts,omitempty"`
	Ends           []learn.End                 `json:"ends,omitempty"`
	Best           int                         `json:"best_start,omitempty"`
	Kept           int                         `json:"kept_iteration,omitempty"`
	Status         learn.Status                `json:"status,omitempty"`
	Seed           uint64                      `json:"seed"`
	DataHash       string                      `json:"data_sha256,omitempty"`
	Discretization *data.Discretization        `json:"discretization,omitempty"`
	Provenance     *provenance                 `json:"provenance,omitempty"`
}

const modelFormat = "bnlab model 1"

// seriesFormat is the first word of a saved series model.
const seriesFormat = "bnlab series model 1"

// Save writes a model to a JSON file: the network with its constraints, method, seed, trace,
// counts, prior, the mapping of columns to states, the hash of its data, the versions of bnlab and Go that fitted it,
// the date of that, and the sources and strengths of its statements (Settings.Knowledge). The environment variable
// SOURCE_DATE_EPOCH, in seconds since 1970, sets the date for files that must be the same on any day. Of a
// [constraint.Formula] the text and the cells are kept, but not its functions. If writing fails the file is unchanged.
// To pass a model from one cell of a notebook to later ones, use nb.Keep.
func Save(path string, given bn.Model) error {
	m, err := asked(given)
	if err != nil {
		return err
	}
	return save(path, func() ([]byte, error) { return marshal(m) })
}

// save writes what marshal returns.
func save(path string, marshal func() ([]byte, error)) error {
	b, err := marshal()
	if err != nil {
		return say.Errorf("bnkit: saving %s: %w", path, err)
	}
	err = atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(append(b, '\n'))
		return err
	})
	if err != nil {
		return say.Errorf("bnkit: %w", err)
	}
	return nil
}

// marshal returns a model, which has a network, as a file holds it.
func marshal(m *Model) ([]byte, error) {
	net := m.Net
	if err := net.Validate(); err != nil {
		return nil, err
	}
	var err error
	s := stored{
		Format: modelFormat, Method: m.Method, Cases: m.Cases, LogLikelihood: m.LogLikelihood,
		Counts: m.Counts, Expected: m.Expected, Pseudocounts: m.prior(), Moments: m.Moments,
		GaussianPriors: m.GaussianPriors, Skipped: m.Skipped, Flags: m.Flags, Trace: m.Trace, Hidden: m.Hidden,
		Families: m.CPDs, Status: m.Status,
		Targets: m.Targets, Weight: m.ViolationWeight, Unsolved: m.Solution == nil && len(m.Trace) > 0,
		Means: m.Means, Weighing: m.Weighing, Starts: m.Starts, Agreed: m.Agreed, Failed: m.Failed, Kept: m.Kept,
		Planned: m.Planned, Ends: m.Ends, Best: m.Best,
		Seed: m.Seed, DataHash: m.DataHash, Discretization: m.Discretization, Provenance: m.provenance,
	}
	if len(m.Statements) > 0 {
		if s.Knowledge, err = constraint.Marshal(m.Statements); err != nil {
			return nil, err
		}
	}
	if s.Variables, err = storednet.Variables(net); err != nil {
		return nil, err
	}
	return json.MarshalIndent(s, "", " ")
}

// Load reads a model that [Save] wrote. Everything is validated: errors name the file and the
// defect, such as a row of a table that does not sum to 1; one that is off by the rounding of its digits, as somebody
// wrote it into the file, is divided by its sum ([bn.CPT.Unround]). A model fitted under a
// [constraint.Formula] comes back with its tables, but verbs that solve for the statements again
// ([Intervals], [Audit], [Multipliers]) refuse it until the formula has its functions back; see
// [learn.Result.Incomplete].
func Load(path string) (*Model, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, say.Errorf("bnkit: loading a model: %w", err)
	}
	m, err := decode(b)
	if err != nil {
		return nil, say.Errorf("bnkit: loading %s: %w", path, err)
	}
	return m, nil
}

// unmarshal reads what a verb wrote in a format, and nothing else.
func unmarshal(b []byte, v any, format, verb string) error {
	var is struct {
		Format string `json:"format"`
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if err := d.Decode(&is); err != nil {
		if kind := (*json.UnmarshalTypeError)(nil); errors.As(err, &kind) {
			return say.Errorf("not a saved model: it holds JSON of another kind (%s); write it again with %s",
				kind.Value, verb)
		}
		return say.Errorf("not a saved model, or cut short; write it again with %s: %w", verb, err)
	}
	switch is.Format {
	case format:
	case modelFormat:
		return errors.New("a model, not one of series; read it with Load")
	case seriesFormat:
		return errors.New("a model of series; read it with LoadSeries")
	default:
		return say.Errorf("not a saved model that this version reads: the format is %q, not %q", is.Format, format)
	}
	d = json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return say.Errorf("not a saved model; write it again with %s: %w", verb, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return say.Errorf("something follows the model at byte %d; write it again with %s", d.InputOffset(), verb)
	}
	if err := notnull.Check(b, v); err != nil {
		return say.Errorf("not a saved model; write it again with %s: %w", verb, err)
	}
	return nil
}

func decode(b []byte) (*Model, error) {
	var s stored
	if err := unmarshal(b, &s, modelFormat, "Save"); err != nil {
		return nil, err
	}
	net, err := storednet.Network(s.Variables)
	if err != nil {
		return nil, err
	}
	m := &Model{Result: &learn.Result{
		Net: net, Method: s.Method, Cases: s.Cases, LogLikelihood: s.LogLikelihood,
		Counts: s.Counts, Expected: s.Expected, Moments: s.Moments, GaussianPriors: s.GaussianPriors,
		Skipped: s.Skipped,
		Flags:   s.Flags, Trace: s.Trace, Hidden: s.Hidden, CPDs: s.Families, Status: s.Status,
		Targets: s.Targets, ViolationWeight: s.Weight, Starts: s.Starts, Agreed: s.Agreed, Failed: s.Failed,
		Kept:  s.Kept,
		Means: s.Means, Weighing: s.Weighing,
		Planned: s.Planned, Ends: s.Ends, Best: s.Best,
	}, Discretization: s.Discretization, DataHash: s.DataHash, Seed: s.Seed, pseudocounts: s.Pseudocounts,
		provenance: s.Provenance}
	if !(s.Weight >= 0) {
		return nil, say.Errorf("the weight of violations is %v; it is positive, or 0 for statements that hold",
			s.Weight)
	}
	for _, list := range [][]float64{s.Counts, s.Pseudocounts} {
		if n := net.Layout().Len(); len(list) != 0 && len(list) != n {
			return nil, fmt.Errorf("%d counts or pseudocounts for %d table entries", len(list), n)
		}
	}
	if s.Knowledge != nil {
		if m.Statements, err = constraint.Unmarshal(s.Knowledge); err != nil {
			return nil, err
		}
	}
	if err := m.resume(!s.Unsolved); err != nil {
		return nil, err
	}
	if m.Solution == nil {
		m.Pseudocounts = m.pseudocounts
	}
	return m, nil
}
