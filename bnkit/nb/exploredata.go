package nb

import (
	"errors"
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strconv"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/say"
)

// exploreData is what explore.js knows of one or two models.
type exploreData struct {
	Go       string           `json:"go"` // the model's variable in a program
	Vars     []exploreVar     `json:"vars"`
	Arcs     []exploreArc     `json:"arcs"`
	Width    float64          `json:"width"`
	Height   float64          `json:"height"`
	Bar      float64          `json:"bar"`  // width of a bar of probability 1
	Line     float64          `json:"line"` // height of a state
	Target   int              `json:"target"`
	Findings []exploreFinding `json:"findings"`
	Models   []exploreModel   `json:"models"`
	Clusters []exploreCluster `json:"clusters"`       // null where the models have Single
	Live     string           `json:"live,omitempty"` // where the cell answers instead, while it runs
}

// An exploreVar is a variable with its place; a continuous one has no states.
type exploreVar struct {
	Name    string   `json:"name"`
	States  []string `json:"states"`
	Parents []int    `json:"parents"`
	Hidden  bool     `json:"hidden,omitempty"`
	X       float64  `json:"x"`
	Y       float64  `json:"y"`
	W       float64  `json:"w"`
	H       float64  `json:"h"`
}

// An exploreArc is a path of SVG, with its arrow head.
type exploreArc struct {
	Path string `json:"path"`
	Head string `json:"head"`
}

// An exploreFinding is a finding of the beginning: a likelihood of each state.
type exploreFinding struct {
	Var     int
	Weights []float64
}

func (f exploreFinding) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "[%d,%s]", f.Var, numbersOf(f.Weights, -1)), nil
}

// An exploreModel is a model's numbers: tables, counts and statements by variable, nil where there are none.
type exploreModel struct {
	Name       string         `json:"name"`
	Tables     []exploreTable `json:"tables"`
	Counts     [][]float64    `json:"counts,omitempty"`
	Bound      [][][]int      `json:"bound,omitempty"` // by variable and row, numbers of Statements
	Statements []string       `json:"statements,omitempty"`
	Single     *exploreSingle `json:"single,omitempty"`
}

// An exploreTable is a CPT, to the last bit.
type exploreTable []float64

// An exploreSingle holds the distributions of all variables, one after the other: given nothing, and given each state.
type exploreSingle struct {
	Prior exploreRow   `json:"prior"`
	Given []exploreRow `json:"given"`
}

// An exploreRow is written to six digits.
type exploreRow []float64

func (r exploreRow) MarshalJSON() ([]byte, error) { return numbersOf(r, 6), nil }

func numbersOf(x []float64, digits int) []byte {
	out := []byte{'['}
	for i, v := range x {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendFloat(out, v, 'g', digits, 64)
	}
	return append(out, ']')
}

// newExploreData checks the models and lays them out.
func newExploreData(m bn.Model, opts *ExploreOptions) (*exploreData, error) {
	net := m.Network()
	d := &exploreData{Go: "model", Target: -1}
	if token.IsIdentifier(opts.Name) {
		d.Go = opts.Name
	}
	models := []bn.Model{m}
	if opts.Beside != nil {
		if opts.Beside.Network() == nil {
			return nil, errors.New("there is no network beside")
		}
		if err := net.Matches(opts.Beside.Network()); err != nil {
			return nil, say.Errorf("the model beside has another network: %w", err)
		}
		models = append(models, opts.Beside)
	}
	for v, of := range net.Variables() {
		if of.IsDiscrete() {
			d.Target = v
		}
		d.Vars = append(d.Vars, exploreVar{Name: of.Name, States: append([]string{}, of.States...),
			Parents: append([]int{}, net.DAG().Parents(v)...)})
	}
	if d.Target < 0 {
		return nil, fmt.Errorf("%w: all variables are continuous", bn.ErrNotDiscrete)
	}
	if opts.Target != "" {
		v, err := net.Index(opts.Target)
		if err != nil {
			return nil, say.Errorf("target: %w", err)
		}
		if !net.Variable(v).IsDiscrete() {
			return nil, say.Errorf("target %q: %w", opts.Target, bn.ErrNotDiscrete)
		}
		d.Target = v
	}
	names := []string{opts.Name, opts.BesideName}
	for i, of := range models {
		if names[i] == "" {
			names[i] = []string{"model", "beside"}[i]
		}
		one, err := exploreModelOf(names[i], of)
		if err != nil {
			return nil, err
		}
		d.Models = append(d.Models, one)
	}
	if f, ok := m.(*bnkit.Model); ok {
		for _, name := range f.Hidden {
			if v, err := net.Index(name); err == nil {
				d.Vars[v].Hidden = true
			}
		}
	}
	if err := d.find(m, opts.Evidence); err != nil {
		return nil, err
	}
	if err := d.place(net.DAG()); err != nil {
		return nil, err
	}
	return d, nil
}

// exploreModelOf collects the tables of a model, and what they were fitted from.
func exploreModelOf(name string, given bn.Model) (exploreModel, error) {
	net := given.Network()
	if err := net.Validate(); err != nil {
		return exploreModel{}, err
	}
	out := exploreModel{Name: name, Tables: make([]exploreTable, net.Len())}
	fitted, _ := given.(*bnkit.Model)
	for v := range net.Len() {
		if t := net.CPT(v); t != nil {
			out.Tables[v] = slices.Clone(t.P)
		}
		if fitted == nil || net.CPT(v) == nil {
			continue
		}
		opts, err := cptOptions(fitted, net.Variable(v).Name)
		if err != nil {
			return exploreModel{}, err
		}
		if opts.Counts != nil {
			if out.Counts == nil {
				out.Counts = make([][]float64, net.Len())
			}
			out.Counts[v] = opts.Counts
		}
		if opts.Statements == nil {
			continue
		}
		if out.Bound == nil {
			out.Bound = make([][][]int, net.Len())
		}
		for _, sentences := range opts.Statements {
			row := []int{}
			for _, s := range sentences {
				at := slices.Index(out.Statements, s)
				if at < 0 {
					at = len(out.Statements)
					out.Statements = append(out.Statements, s)
				}
				row = append(row, at)
			}
			slices.Sort(row)
			out.Bound[v] = append(out.Bound[v], row)
		}
	}
	return out, nil
}

// find turns evidence into findings.
func (d *exploreData) find(m bn.Model, evidence infer.Evidence) error {
	evidence, err := evidence.For(m)
	if err != nil {
		return err
	}
	d.Findings = []exploreFinding{}
	for v, of := range m.Network().Variables() {
		if _, ok := evidence[of.Name]; !ok {
			continue
		}
		w, err := evidence.Weights(of)
		if err != nil {
			return say.Errorf("evidence: %w", err)
		}
		d.Findings = append(d.Findings, exploreFinding{v, w})
		delete(evidence, of.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(evidence)) {
		_, err := m.Network().Index(name)
		return say.Errorf("evidence: %w", err)
	}
	return nil
}
