package hierarchy

import (
	"context"
	"fmt"

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

// truthFigure is a structure that complies with the parent-wise rule: the variables with a link, and what they are
// parts of.
func (r *Results) truthFigure() (*viz.Figure, error) {
	part, parents := linkedPart(r.example.hierarchy, r.example.truth)
	links := 0
	for _, p := range parents {
		links += len(p)
	}
	return viz.Hierarchy(part, parents, &viz.HierarchyOptions{Title: fmt.Sprintf(
		"%d links that comply with the parent-wise rule, and the %d of %d variables that they concern", links,
		len(part.names), len(r.example.truth))})
}

// differenceFigure is what each search found beside the truth: a matrix for each.
func (r *Results) differenceFigure() (*viz.Figure, error) {
	var row []*viz.Figure
	for i, name := range r.Searches {
		figure, err := viz.HierarchyMatrix(r.example.hierarchy, r.example.found[i],
			&viz.HierarchyOptions{Title: titles[name], Truth: r.example.truth})
		if err != nil {
			return nil, err
		}
		row = append(row, figure)
	}
	return viz.Row(row...)
}

// A part is some variables of a hierarchy.
type part struct {
	names  []string
	levels []int
	above  [][]int
}

func (p *part) Names() []string   { return p.names }
func (p *part) LevelOf(v int) int { return p.levels[v] }
func (p *part) Above(v int) []int { return p.above[v] }

// linkedPart are the variables with a link and all that they are parts of, with the parents of each.
func linkedPart(h *hierarchy.Hierarchy, g graph) (*part, graph) {
	keep := make([]bool, len(g))
	var take func(v int)
	take = func(v int) {
		if !keep[v] {
			keep[v] = true
			for _, a := range h.Above(v) {
				take(a)
			}
		}
	}
	for v, parents := range g {
		for _, p := range parents {
			take(v)
			take(p)
		}
	}
	p, at := &part{}, make([]int, len(g))
	for v, name := range h.Names() {
		if keep[v] {
			at[v] = len(p.names)
			p.names, p.levels = append(p.names, name), append(p.levels, h.LevelOf(v))
		}
	}
	among := func(list []int) []int {
		var places []int
		for _, v := range list {
			places = append(places, at[v])
		}
		return places
	}
	var links graph
	for v := range g {
		if keep[v] {
			p.above, links = append(p.above, among(h.Above(v))), append(links, among(g[v]))
		}
	}
	return p, links
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
	return viz.HierarchyMatrix(b.hierarchy, g, &viz.HierarchyOptions{
		Title: fmt.Sprintf("ABIDE NYU, control: links found by PW-Hier between %d variables (%s, strength %v)", len(g),
			s.Score, s.Value)})
}
