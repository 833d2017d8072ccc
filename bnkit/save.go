package bnkit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"unicode/utf8"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
	"bnlab/internal/atomicfile"
)

// stored is a model as a file holds it: JSON, numbers with all their digits.
type stored struct {
	Format         string                      `json:"format"` // always modelFormat
	Variables      []storedVariable            `json:"variables"`
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
}

const modelFormat = "bnlab model 1"

// seriesFormat is the first word of a saved series model.
const seriesFormat = "bnlab series model 1"

// storedVariable is a variable with its parents, in the order of the table, and its
// distribution.
type storedVariable struct {
	Name     string              `json:"name"`
	States   []string            `json:"states,omitempty"`
	Sorted   bool                `json:"order_not_declared,omitempty"`
	Encoding *knowledge.Variable `json:"encoding,omitempty"` // how a column of data becomes the states
	Parents  []string            `json:"parents"`
	Table    []float64           `json:"table,omitempty"` // by parent configuration, last parent fastest, then state
	Gaussian *storedGaussian     `json:"linear_gaussian,omitempty"`
}

type storedGaussian struct {
	Intercept []float64   `json:"intercept"`
	Weights   [][]float64 `json:"weights"`
	Variance  []float64   `json:"variance"`
}

// Save writes a model to a JSON file: the network with its constraints, method, seed, trace,
// counts, prior, the mapping of columns to states and the hash of its data. Notebook cells are
// separate programs, so this is how one passes a model to the next. Of a [constraint.Formula] the
// text and the cells are kept, but not its functions. If writing fails the file is unchanged.
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
		return fmt.Errorf("bnkit: saving %s: %w", path, err)
	}
	err = atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(append(b, '\n'))
		return err
	})
	if err != nil {
		return fmt.Errorf("bnkit: %w", err)
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
		Seed: m.Seed, DataHash: m.DataHash, Discretization: m.Discretization,
	}
	if len(m.Statements) > 0 {
		if s.Knowledge, err = constraint.Marshal(m.Statements); err != nil {
			return nil, err
		}
	}
	for v := range net.Len() {
		for _, name := range append([]string{net.Variable(v).Name}, net.Variable(v).States...) {
			if !utf8.ValidString(name) {
				return nil, fmt.Errorf("the name %q, of or in variable %d, is %w", name, v+1, data.ErrEncoding)
			}
		}
		variable := storeVariable(net, v)
		if variable.Encoding, err = storedEncoding(net.Variable(v)); err != nil {
			return nil, err
		}
		s.Variables = append(s.Variables, variable)
	}
	return json.MarshalIndent(s, "", " ")
}

// storedEncoding is an encoding as files hold it: that of a knowledge file.
func storedEncoding(v bn.Variable) (*knowledge.Variable, error) {
	switch e := v.Encoding.(type) {
	case nil:
		return nil, nil
	case knowledge.Variable:
		return &e, nil
	case *knowledge.Variable:
		return e, nil
	}
	return nil, fmt.Errorf("the encoding of %q is of type %T, and files hold those of knowledge files only", v.Name,
		v.Encoding)
}

// checkEncoding returns an error for an encoding that is not of the variable.
func checkEncoding(e *knowledge.Variable, v bn.Variable) error {
	if err := e.Validate(); err != nil {
		return fmt.Errorf("the encoding of %q: %w", v.Name, err)
	}
	if made := e.Variable(); made.Encoding == nil || !made.Equal(v) {
		return fmt.Errorf("the encoding of %q makes %s, and the variable is %s", v.Name, made, v)
	}
	return nil
}

func storeVariable(net *bn.Network, v int) storedVariable {
	variable := net.Variable(v)
	s := storedVariable{Name: variable.Name, States: variable.States, Sorted: variable.Sorted, Parents: []string{}}
	for _, p := range net.DAG().Parents(v) {
		s.Parents = append(s.Parents, net.Variable(p).Name)
	}
	if t := net.CPT(v); t != nil {
		s.Table = t.P
	} else {
		g := net.Gaussian(v)
		s.Gaussian = &storedGaussian{g.Intercept, g.Weights, g.Variance}
	}
	return s
}

// Load reads a model that [Save] wrote. Everything is validated: errors name the file and the
// defect, such as a row of a table that does not sum to 1. A model fitted under a
// [constraint.Formula] comes back with its tables, but verbs that solve for the statements again
// ([Intervals], [Audit], [Multipliers]) refuse it until the formula has its functions back; see
// [learn.Result.Incomplete].
func Load(path string) (*Model, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("bnkit: loading a model: %w", err)
	}
	m, err := decode(b)
	if err != nil {
		return nil, fmt.Errorf("bnkit: loading %s: %w", path, err)
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
		return fmt.Errorf("not a saved model, or cut short; write it again with %s: %w", verb, err)
	}
	switch is.Format {
	case format:
	case modelFormat:
		return errors.New("a model, not one of series; read it with Load")
	case seriesFormat:
		return errors.New("a model of series; read it with LoadSeries")
	default:
		return fmt.Errorf("not a saved model that this version reads: the format is %q, not %q", is.Format, format)
	}
	d = json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("not a saved model; write it again with %s: %w", verb, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("something follows the model at byte %d; write it again with %s", d.InputOffset(), verb)
	}
	return nil
}

func decode(b []byte) (*Model, error) {
	var s stored
	if err := unmarshal(b, &s, modelFormat, "Save"); err != nil {
		return nil, err
	}
	if len(s.Variables) == 0 {
		return nil, errors.New("the network has no variables")
	}
	net, err := s.rebuilt()
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
	}, Discretization: s.Discretization, DataHash: s.DataHash, Seed: s.Seed, pseudocounts: s.Pseudocounts}
	if !(s.Weight >= 0) {
		return nil, fmt.Errorf("the weight of violations is %v; it is positive, or 0 for statements that hold",
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

// network rebuilds and checks the network.
func (s *stored) rebuilt() (*bn.Network, error) {
	names := make([]string, len(s.Variables))
	vars := make([]bn.Variable, len(s.Variables))
	index := make(map[string]int, len(s.Variables))
	for v, sv := range s.Variables {
		names[v], index[sv.Name] = sv.Name, v
		vars[v] = bn.Variable{Name: sv.Name, States: sv.States, Sorted: sv.Sorted}
		if sv.Encoding != nil {
			if err := checkEncoding(sv.Encoding, vars[v]); err != nil {
				return nil, err
			}
			vars[v].Encoding = *sv.Encoding
		}
	}
	parents := make([][]int, len(s.Variables))
	for v, sv := range s.Variables {
		for _, p := range sv.Parents {
			i, ok := index[p]
			if !ok {
				return nil, fmt.Errorf("%w %q, a parent of %q", bn.ErrUnknownVariable, p, sv.Name)
			}
			parents[v] = append(parents[v], i)
		}
	}
	dag, err := bn.NewDAG(names, parents)
	if err != nil {
		return nil, err
	}
	for v, sv := range s.Variables { // before memory is taken for tables that the file does not hold
		if err := sv.checkLength(dag.Parents(v), vars); err != nil {
			return nil, err
		}
	}
	net, err := bn.NewNetwork(dag, vars)
	if err != nil {
		return nil, err
	}
	for v, sv := range s.Variables {
		if t := net.CPT(v); t != nil {
			copy(t.P, sv.Table)
			continue
		}
		g := net.Gaussian(v)
		g.Intercept, g.Weights, g.Variance = sv.Gaussian.Intercept, sv.Gaussian.Weights, sv.Gaussian.Variance
	}
	return net, net.Validate()
}

// checkLength returns an error when the file does not hold as many numbers as the distribution of
// the variable needs.
func (sv storedVariable) checkLength(parents []int, vars []bn.Variable) error {
	var cards []int
	for _, p := range parents {
		if vars[p].IsDiscrete() {
			cards = append(cards, vars[p].Cardinality())
		}
	}
	configs, err := bn.NewConfigs(cards...)
	if err != nil {
		return fmt.Errorf("%w (family of %q)", err, sv.Name)
	}
	need := configs.Len() // times a number of states it is within an int, see bn.MaxConfigs
	switch g := sv.Gaussian; {
	case sv.States != nil && g == nil:
		if need *= len(sv.States); len(sv.Table) != need {
			return fmt.Errorf("the table of %q has %d entries, it needs %d", sv.Name, len(sv.Table), need)
		}
	case sv.States == nil && g != nil && sv.Table == nil:
		each := len(parents) - len(cards)
		if len(g.Intercept) != need || len(g.Variance) != need || len(g.Weights) != need ||
			slices.ContainsFunc(g.Weights, func(w []float64) bool { return len(w) != each }) {
			return fmt.Errorf("the linear-Gaussian distribution of %q needs %d intercepts, variances and rows of %d "+
				"weights",
				sv.Name, need, each)
		}
	default:
		return fmt.Errorf("%q needs a table when it has states, linear-Gaussian parameters otherwise", sv.Name)
	}
	return nil
}
