package viz

import (
	"errors"
	"fmt"
	"image/color"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// NetworkOptions are the options of [Network], [Graph] and [Compare]. Nil means the defaults.
type NetworkOptions struct {
	// Title is above the drawing.
	Title string
	// Horizontal lets arcs run from left to right; the default is downwards.
	Horizontal bool
	// Shaded names variables drawn on grey, as those that are observed are.
	Shaded []string
	// Colors fills the nodes of variables, by name.
	Colors map[string]color.Color
	// ArcLabels are short texts at arcs, by parent and child:
	// {"smoke", "cancer"}: "+".
	ArcLabels map[[2]string]string
	// Strengths make the arcs of Network and Graph the wider the stronger, between 0 and 1, as bootstrap frequencies
	// are (structure.Averaged.Map), by parent and child; every arc needs one. Nil: all arcs are alike.
	Strengths map[[2]string]float64
	// ShowStates writes the states below the name of a variable; beliefs always do.
	ShowStates bool
	// Beliefs draw the distribution of each discrete variable in its node, of a Network: a line with a bar and the
	// probability for each state. What is observed is grey, with a mark at the observed state; a continuous variable
	// is an ellipse with its value where that is observed. What has a Soft finding is a paler grey, with a dashed
	// outline and the finding below its states; then a legend tells the two apart.
	//
	// Several beliefs stand side by side, as those of two fits, or before and after some
	// evidence: a bar of its own colour for each in every state. They are at most seven, and
	// all named.
	//
	//	viz.Network(net, &viz.NetworkOptions{Beliefs: []viz.Beliefs{
	//		{Name: "at first", P: prior},
	//		{Name: "x-ray positive", P: posterior, Evidence: bn.Given{"xray": "positive"}},
	//	}})
	//
	// An observed variable needs no entry in P. One that no belief tells of is drawn by its
	// name only. Of more than eight states the seven most probable ones are shown (in any of the
	// beliefs), and a line with the sum of the others.
	//
	// An error names the belief and the variable for a name or state that the
	// network does not have, numbers that are no distribution (within 1e-6), and
	// those that contradict the evidence.
	Beliefs []Beliefs
	// Targets are the variables that have bars of Beliefs; others are small nodes with what is known of them.
	// Nil means all.
	Targets []string
}

var errNoTables = errors.New("viz: a graph without tables has no beliefs; draw the network")

// Network draws the graph of a network, or of a model: discrete variables as boxes, continuous ones
// as ellipses, an arrow from each parent to each child. The figure is as large as the
// graph needs. It returns an error when an option names a variable or an arc that the
// network does not have.
func Network(m bn.Model, opts *NetworkOptions) (*Figure, error) {
	if m == nil || m.Network() == nil {
		return nil, fmt.Errorf("viz: there is no network to draw")
	}
	if opts != nil && len(opts.Beliefs) > 0 {
		return posteriors(m, opts)
	}
	net := m.Network()
	strokes, keys, err := opts.strokes(net.DAG())
	if err != nil {
		return nil, err
	}
	return drawNodes(net.DAG(), net.Variables(), strokes, keys, opts)
}

// Graph draws a graph without distributions: a DAG, or a Markov equivalence class with its directed arcs as arrows and
// the undirected ones as lines. Arc labels of a class go by parent and child in its member ([bn.CPDAG.Member]). Errors
// are those of [Network].
func Graph[G *bn.DAG | *bn.CPDAG](g G, opts *NetworkOptions) (*Figure, error) {
	if g == nil {
		return nil, fmt.Errorf("viz: there is no graph to draw")
	}
	class, isClass := any(g).(*bn.CPDAG)
	graph, _ := any(g).(*bn.DAG)
	if isClass {
		graph = class.Member()
	}
	if opts != nil && len(opts.Beliefs) > 0 {
		return nil, errNoTables
	}
	strokes, keys, err := opts.strokes(graph)
	if err != nil {
		return nil, err
	}
	return drawNodes(graph, nil, func(parent, child int) stroke {
		s := strokes(parent, child)
		if isClass && class.IsUndirected(parent, child) {
			s.end = bare
		}
		return s
	}, keys, opts)
}

// drawNodes draws a graph with the names of its variables; nil vars means that only those are known.
func drawNodes(g *bn.DAG, vars []bn.Variable, strokes func(parent, child int) stroke, keys []key,
	opts *NetworkOptions) (*Figure, error) {
	if opts == nil {
		opts = &NetworkOptions{}
	}
	nodes, err := newNodes(g, vars, opts)
	if err != nil {
		return nil, err
	}
	boxes := make([]box, len(nodes))
	for v, n := range nodes {
		boxes[v] = n
	}
	return drawGraph(g, boxes, strokes, keys, opts)
}

// A box is what is drawn in the place of a variable.
type box interface {
	size() vg.Point
	isRound() bool
	draw(c draw.Canvas, place vg.Rectangle)
}

// drawGraph draws a graph with a box for each variable and a stroke for each arc, below a legend.
func drawGraph(g *bn.DAG, boxes []box, strokes func(parent, child int) stroke, keys []key,
	opts *NetworkOptions) (*Figure, error) {
	labels, widths, err := arcLabels(g, opts)
	if err != nil {
		return nil, err
	}
	sizes, round := make([]vg.Point, len(boxes)), make([]bool, len(boxes))
	for v, b := range boxes {
		sizes[v], round[v] = b.size(), b.isRound()
	}
	l, err := newLayout(g, sizes, &layoutOptions{Horizontal: opts.Horizontal, Round: round, LabelWidths: widths})
	if err != nil {
		return nil, err
	}
	return titled(opts.Title, keys, l.Width, l.Height, func(c draw.Canvas) {
		at := func(p vg.Point) vg.Point { return p.Add(c.Min) }
		for i, a := range l.Arcs {
			path := make([]vg.Point, len(a.Path))
			for k, p := range a.Path {
				path[k] = at(p)
			}
			strokes(a.Parent, a.Child).along(c, path)
			if labels[i] != "" {
				sty := style(sizeSmall, ink, false)
				sty.XAlign, sty.YAlign = draw.XCenter, draw.YCenter
				c.FillText(sty, at(a.Label), labels[i])
			}
		}
		for v, b := range boxes {
			b.draw(c, vg.Rectangle{Min: at(l.Nodes[v].Min), Max: at(l.Nodes[v].Max)})
		}
	}), nil
}

// titled makes a figure of a drawing of the given size, with a margin, a title and a legend.
func titled(title string, keys []key, width, height vg.Length, paint func(c draw.Canvas)) *Figure {
	const margin = 8
	sty := style(sizeTitle, ink, true)
	sty.XAlign, sty.YAlign = draw.XCenter, draw.YTop
	var top vg.Length
	lines := title
	if title != "" {
		lines = strings.Join(wrapEvenly(sty, title, max(width, 240)), "\n")
		top = sty.Height(lines) + 8
	}
	legend := keyRows(keys, max(width, 300))
	var between vg.Length
	if len(legend) > 0 {
		between = keysHeight(legend) + 4
	}
	w := max(width, sty.Width(lines), keysWidth(legend)) + 2*margin
	f := &Figure{Width: w, Height: height + between + top + 2*margin, title: title}
	f.natural = vg.Point{X: f.Width, Y: f.Height}
	f.draw = func(c draw.Canvas) {
		c.SetColor(white)
		c.Fill(c.Rectangle.Path())
		if title != "" {
			c.FillText(sty, vg.Point{X: c.Center().X, Y: c.Max.Y - margin}, lines)
		}
		drawKeys(draw.Crop(c, margin, -margin, 0, -margin-top), legend)
		corner := vg.Point{X: c.Center().X - width/2, Y: c.Min.Y + margin}
		paint(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: corner,
			Max: corner.Add(vg.Point{X: width, Y: height})}})
	}
	if len(keys) > 0 {
		f.keys = keys
		f.bare = func(c draw.Canvas) { // room for the legend is left below
			part := titled(title, nil, width, height, paint)
			c.Min.Y = c.Max.Y - part.Height
			part.draw(c)
		}
	}
	return f
}

// newNodes settles the looks of the variables.
func newNodes(g *bn.DAG, vars []bn.Variable, opts *NetworkOptions) ([]node, error) {
	nodes := make([]node, g.Len())
	for v := range nodes {
		n := node{name: g.Name(v), fill: nodeFill}
		if vars != nil && !vars[v].IsDiscrete() {
			n.round, n.fill = true, roundFill
		}
		if vars != nil && opts.ShowStates {
			n.states = stateLines(vars[v])
		}
		nodes[v] = n
	}
	for _, name := range opts.Shaded {
		v, err := g.Index(name)
		if err != nil {
			return nil, say.Errorf("viz: shaded: %w", err)
		}
		nodes[v].fill = shadeFill
	}
	for name, col := range opts.Colors {
		v, err := g.Index(name)
		if err != nil {
			return nil, say.Errorf("viz: colors: %w", err)
		}
		if col == nil {
			return nil, say.Errorf("viz: the colour of %q is nil", name)
		}
		nodes[v].fill = col
	}
	return nodes, nil
}

// arcLabels returns the labels of the arcs in the order of a layout, and their widths.
func arcLabels(g *bn.DAG, opts *NetworkOptions) ([]string, []vg.Length, error) {
	labels, widths := make([]string, 0, g.Arcs()), make([]vg.Length, 0, g.Arcs())
	sty := style(sizeSmall, ink, false)
	found := 0
	for v := range g.Len() {
		for _, p := range g.Parents(v) {
			s, ok := opts.ArcLabels[[2]string{g.Name(p), g.Name(v)}]
			if ok {
				found++
			}
			var w vg.Length
			if s != "" {
				w = sty.Width(s) + 4
			}
			labels, widths = append(labels, s), append(widths, w)
		}
	}
	if found < len(opts.ArcLabels) {
		return nil, nil, unknownArc(g, opts.ArcLabels)
	}
	return labels, widths, nil
}
