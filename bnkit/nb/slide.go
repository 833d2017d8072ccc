package nb

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/viz"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// SlideOptions are the options of [Slide]. Nil means the defaults.
type SlideOptions struct {
	// Target is the variable whose table is shown and predicted; the default is the last discrete one.
	Target string
	// HeldOut, when not nil, are cases that no fit has seen: the log score of Target given their other columns, in
	// nats a case, is shown at each position; see [bnkit.ConditionalLogScore].
	HeldOut *dataframe.DataFrame
	// Positions is how many there are, equally far apart; 0 means 21, and at most 201.
	Positions int
	// Start is where the slider stands at first, at the position next to it.
	Start float64
	// Path is an HTML file to write as well, which a browser shows without Jupyter. None when empty.
	Path string
}

// Slide shows what a number does to a fit: move the slider, and the table of a variable, the log score of held-out
// cases and, of a fit that weighs statements, how probable it is that each holds move with it. The number is what the
// function makes of it: the margin of one statement, its strength, a pseudocount.
//
//	nb.Slide("margin of age", 0, 0.2, func(x float64) (*bnkit.Model, error) {
//		says := constraint.Influence{Parent: "age", Child: "ill", Margin: x}
//		return bnkit.Fit(nb.Context(), net, few, learn.MAP{Constraints: []constraint.Constraint{says}}, nil)
//	}, &nb.SlideOptions{HeldOut: &rest})
//
// The fits, one for each position from low to high, are made first; all must be of one network. It is one block of
// HTML, SVG and JavaScript that needs no network and no kernel, as that of [Explore]. Where scripts do not run it is
// the table at the start and the curve of the score. Outside a notebook a line of text is printed. What cannot be
// shown ends the cell; see [Must].
func Slide(label string, low, high float64, fit func(at float64) (*bnkit.Model, error), opts *SlideOptions) {
	b, err := newSlider(label, low, high, fit, opts)
	NoError(err)
	NoError(show().page(b))
	if opts != nil && opts.Path != "" {
		NoError(b.save(opts.Path))
	}
}

var (
	//go:embed slide.js
	slideJS string
	//go:embed slide.css
	slideCSS string
)

// slideData is what slide.js knows: numbers by position, to the last bit.
type slideData struct {
	Label      string      `json:"label"`
	Positions  []float64   `json:"positions"`
	Start      int         `json:"start"`
	Target     slideVar    `json:"target"`
	Parents    []slideVar  `json:"parents"`
	Tables     [][]float64 `json:"tables"`
	Cases      []float64   `json:"cases"` // by row, null where the fits do not tell
	Scores     []float64   `json:"scores"`
	Statements []string    `json:"statements"`
	Holds      [][]float64 `json:"holds"`
}

type slideVar struct {
	Name   string   `json:"name"`
	States []string `json:"states"`
}

// The bounds of a slider.
const (
	mostPositions   = 201
	mostSlideNumber = 1 << 18 // of tables together
)

func newSlider(label string, low, high float64, fit func(at float64) (*bnkit.Model, error),
	opts *SlideOptions) (*block, error) {
	if opts == nil {
		opts = &SlideOptions{}
	}
	n := opts.Positions
	if n == 0 {
		n = 21
	}
	switch {
	case fit == nil:
		return nil, errors.New("nb: slide: there is no function that fits")
	case !num.Finite(low) || !num.Finite(high) || low >= high:
		return nil, say.Errorf("nb: slide: a slider from %v to %v; the first must be less", low, high)
	case n < 2 || n > mostPositions:
		return nil, fmt.Errorf("nb: slide: %d positions; 2 to %d can be shown", n, mostPositions)
	}
	d := &slideData{Label: label}
	var first, begin *bnkit.Model
	for i := range n {
		x := low + (high-low)*float64(i)/float64(n-1)
		m, err := fit(x)
		if err == nil && (m == nil || m.Net == nil) {
			err = errors.New("the function returns no model")
		}
		if err == nil && first == nil {
			first, err = m, d.begin(m, opts.Target, n)
		}
		if err == nil {
			err = d.add(x, first, m, opts.HeldOut)
		}
		if err != nil {
			return nil, say.Errorf("nb: slide: %s = %.4g: %w", label, x, err)
		}
		if i == 0 || math.Abs(x-opts.Start) < math.Abs(d.Positions[d.Start]-opts.Start) {
			d.Start, begin = i, m
		}
	}
	pictures, err := d.pictures(begin)
	if err != nil {
		return nil, err
	}
	about := fmt.Sprintf("slider of %s: %.4g to %.4g", label, low, high)
	if d.Scores != nil {
		best := 0
		for i, s := range d.Scores {
			if s > d.Scores[best] {
				best = i
			}
		}
		about += fmt.Sprintf("; held-out log score of %s highest at %.4g, %.4f nats a case", d.Target.Name,
			d.Positions[best], d.Scores[best])
	}
	return blockOf("slider", "slide", about, about, pictures, slideJS, d, exploreCSS+slideCSS)
}

// begin settles what is shown, by the first model.
func (d *slideData) begin(m *bnkit.Model, target string, positions int) error {
	net := m.Net
	v := -1
	for i, of := range net.Variables() {
		if of.IsDiscrete() && (target == "" || of.Name == target) {
			v = i
		}
	}
	if v < 0 && target != "" {
		if _, err := net.Index(target); err != nil {
			return say.Errorf("target: %w", err)
		}
		return say.Errorf("target %q: %w", target, bn.ErrNotDiscrete)
	}
	if v < 0 {
		return fmt.Errorf("%w: all variables are continuous", bn.ErrNotDiscrete)
	}
	of := func(i int) slideVar { return slideVar{net.Variable(i).Name, net.Variable(i).States} }
	d.Target, d.Parents = of(v), []slideVar{}
	for _, p := range net.DAG().Parents(v) {
		d.Parents = append(d.Parents, of(p))
	}
	if size := len(net.CPT(v).P); size*positions > mostSlideNumber {
		return say.Errorf("the table of %q has %d entries, too many for %d positions", d.Target.Name, size, positions)
	}
	counts, err := m.FamilyCounts(d.Target.Name)
	if err != nil || counts == nil {
		return err
	}
	k := len(d.Target.States)
	d.Cases = make([]float64, len(counts)/k)
	for i, c := range counts {
		d.Cases[i/k] += c
	}
	return nil
}

// add notes what a fit says.
func (d *slideData) add(at float64, first, m *bnkit.Model, heldOut *dataframe.DataFrame) error {
	if err := first.Net.Matches(m.Net); err != nil {
		return say.Errorf("another network than at the position before: %w", err)
	}
	t, err := m.Net.Table(d.Target.Name)
	if err != nil {
		return err
	}
	d.Positions, d.Tables = append(d.Positions, at), append(d.Tables, slices.Clone(t.P))
	if heldOut != nil {
		score, err := bnkit.ConditionalLogScore(m, *heldOut, d.Target.Name)
		if err != nil {
			return err
		}
		if !num.Finite(score.Average) {
			return errors.New("a held-out case has probability zero; give the fit pseudocounts")
		}
		d.Scores = append(d.Scores, score.Average)
	}
	if m.Weighing == nil {
		return nil
	}
	var holds []float64
	for _, b := range m.Weighing.Statements {
		if m == first {
			d.Statements = append(d.Statements, b.Statement.String())
		}
		holds = append(holds, b.After)
	}
	if len(holds) != len(d.Statements) {
		return fmt.Errorf("the fit weighs %d statements, at the position before %d", len(holds), len(d.Statements))
	}
	d.Holds = append(d.Holds, holds)
	return nil
}

// pictures draws what is seen where no script runs.
func (d *slideData) pictures(begin *bnkit.Model) ([][]byte, error) {
	table, err := CPT(begin, d.Target.Name)
	if err != nil {
		return nil, err
	}
	figures := []*viz.Figure{table}
	if d.Scores != nil {
		curve, err := viz.Curves([]viz.Series{{X: d.Positions, Y: d.Scores}}, &viz.Axes{X: d.Label,
			Y: "held-out log score (nats a case)", Height: 3})
		if err != nil {
			return nil, say.Errorf("nb: slide: %w", err)
		}
		figures = append(figures, curve)
	}
	var out [][]byte
	for _, f := range figures {
		png, err := f.PNG()
		if err != nil {
			return nil, err
		}
		out = append(out, png)
	}
	return out, nil
}
