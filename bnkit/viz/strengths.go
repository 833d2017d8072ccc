package viz

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// strokes returns the look of the arcs and its legend, by their strengths where there are any. It returns an error
// when an arc has none, one is not between 0 and 1 or is of no arc.
func (o *NetworkOptions) strokes(g *bn.DAG) (func(parent, child int) stroke, []key, error) {
	if o == nil || o.Strengths == nil {
		return plain, nil, nil
	}
	for v := range g.Len() {
		for _, p := range g.Parents(v) {
			s, ok := o.Strengths[[2]string{g.Name(p), g.Name(v)}]
			if !ok {
				return nil, nil, say.Errorf("viz: the arc from %q to %q has no strength", g.Name(p), g.Name(v))
			}
			if !(s >= 0 && s <= 1) {
				return nil, nil, say.Errorf("viz: the arc from %q to %q has the strength %v; it must be between 0 "+
					"and 1", g.Name(p), g.Name(v), s)
			}
		}
	}
	if len(o.Strengths) > g.Arcs() {
		labels := make(map[[2]string]string)
		for arc := range o.Strengths {
			labels[arc] = ""
		}
		return nil, nil, unknownArc(g, labels)
	}
	wide := func(s float64) stroke {
		return stroke{LineStyle: draw.LineStyle{Color: mix(rule, ink, 0.3+0.5*s), Width: vg.Length(0.4 + 2.8*s)}}
	}
	var keys []key
	for _, s := range []float64{0.1, 0.5, 1} {
		keys = append(keys, key{name: fmt.Sprintf("strength %v", s), sample: wide(s).sample})
	}
	strokes := func(parent, child int) stroke {
		return wide(o.Strengths[[2]string{g.Name(parent), g.Name(child)}])
	}
	return strokes, keys, nil
}
