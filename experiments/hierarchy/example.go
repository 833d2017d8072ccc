package hierarchy

import (
	"context"
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/structure/hierarchy"
	"bnlab/bnkit/viz"
	"bnlab/experiments/run"
)

// An example is one simulated class with what the searches found in it, for pictures.
type example struct {
	hierarchy *hierarchy.Hierarchy
	truth     graph
	found     []graph // by search
}

func (s *scene) newExample(ctx context.Context, job *run.Job) (*example, error) {
	a, _, truth, err := s.pair(origin{job, exampleStreams, 0})
	if err != nil {
		return nil, err
	}
	h, err := s.tree.hierarchy()
	if err != nil {
		return nil, err
	}
	e := &example{hierarchy: h, truth: truth}
	nets, err := s.learn(ctx, a, s.Size)
	for _, n := range nets {
		e.found = append(e.found, n.graph)
	}
	return e, err
}

// truthFigure is a structure that complies with the parent-wise rule.
func (r *Results) truthFigure() (*viz.Figure, error) {
	return viz.Hierarchy(r.example.hierarchy, r.example.truth,
		&viz.HierarchyOptions{Title: "A structure that complies with the parent-wise rule: 15 links"})
}

// networkFigure is what a search found, at each level of the hierarchy, coloured by what is true.
func (r *Results) networkFigure(search int) (*viz.Figure, error) {
	e := r.example
	return viz.Hierarchy(e.hierarchy, e.found[search], &viz.HierarchyOptions{
		Title: fmt.Sprintf("Found by %s, against the truth", titles[r.Searches[search]]), Truth: e.truth})
}

// differenceFigure is the truth and what a search found in one graph of both slices, of what has a link in one of them.
func (r *Results) differenceFigure(search int) (*viz.Figure, error) {
	e := r.example
	both := []graph{e.truth, e.found[search]}
	var names []string
	place := make(map[[2]int]int) // of a variable in a slice
	for slice := range 2 {
		for v, name := range e.hierarchy.Names() {
			if slice == 0 && (both[0].isParent(v) || both[1].isParent(v)) || slice == 1 &&
				len(both[0][v])+len(both[1][v]) > 0 {
				place[[2]int{v, slice}] = len(names)
				names = append(names, dbn.At(name, slice))
			}
		}
	}
	var graphs []*bn.DAG
	for _, g := range both {
		parents := make([][]int, len(names))
		for to := range g {
			for _, from := range g[to] {
				at := place[[2]int{to, 1}]
				parents[at] = append(parents[at], place[[2]int{from, 0}])
			}
		}
		d, err := bn.NewDAG(names, parents)
		if err != nil {
			return nil, err
		}
		graphs = append(graphs, d)
	}
	return viz.Compare(graphs[0], graphs[1], &viz.NetworkOptions{Title: titles[r.Searches[search]] +
		" against the truth", Horizontal: true})
}

// shownSize is the equivalent sample size of the real network in the picture.
const shownSize = 1

// brainNetworkFigure is what PW-Hier found in the control persons at each level of the hierarchy, links of a
// variable to itself left out.
func (r *Results) brainNetworkFigure() (*viz.Figure, error) {
	b := r.Brain
	s := b.settings[0]
	for _, one := range b.settings {
		if one.Score == "bde" && one.Value == shownSize {
			s = one
		}
	}
	g := make(graph, len(s.Found[1][r.place(pw)].graph))
	for v, parents := range s.Found[1][r.place(pw)].graph {
		for _, p := range parents {
			if p != v {
				g[v] = append(g[v], p)
			}
		}
	}
	return viz.Hierarchy(b.hierarchy, g, &viz.HierarchyOptions{HideParts: true,
		Title: fmt.Sprintf("ABIDE NYU, control: links found by PW-Hier between %d variables (%s, strength %v)", len(g),
			s.Score, s.Value)})
}
