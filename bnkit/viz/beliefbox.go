package viz

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bnlab/bnkit/bn"
)

// A beliefBox is a discrete variable with bars for its states: its name in a strip of the
// node's colour, and below it a line for each state.
type beliefBox struct {
	node
	lines  []beliefLine
	sets   int // of beliefs: bars in each line
	marked bool
	body   color.NRGBA

	stateWidth  vg.Length   // of the column of states
	numberWidth []vg.Length // of the numbers of each set
}

// A beliefLine is a state, or what is left of many.
type beliefLine struct {
	state  string
	p      []float64 // by set of beliefs, NaN where it has none
	marked []bool    // where the state is observed
}

const (
	headHeight  = 18
	beliefState = 92 // greatest width of the name of a state
	beliefBar   = 50 // least width of the bars
	markWidth   = 8  // of the column of marks
	boxEdge     = 6  // between the outline and what is inside
	barGap      = 5  // between columns
)

// newBeliefBox puts what the sets of beliefs say of a variable in the place of its node. A
// variable without states, or one that none of them tells of, stays a node.
func newBeliefBox(n node, v bn.Variable, p [][]float64, beliefs []Beliefs, shaded bool) box {
	if !v.IsDiscrete() {
		return withValues(n, v.Name, beliefs)
	}
	if !slices.ContainsFunc(p, func(p []float64) bool { return p != nil }) {
		return n
	}
	b := &beliefBox{node: n, sets: len(beliefs), body: white, numberWidth: make([]vg.Length, len(beliefs))}
	if shaded || n.dashed {
		b.body = mix(shadeFill, white, 0.65)
	}
	shown := mostProbable(p, v.Cardinality())
	rest := beliefLine{state: fmt.Sprintf("… %d more", v.Cardinality()-len(shown)), p: make([]float64, b.sets),
		marked: make([]bool, b.sets)}
	for i := range p {
		if rest.p[i] = math.NaN(); p[i] != nil {
			rest.p[i] = 0
		}
	}
	for state, name := range v.States {
		if !slices.Contains(shown, state) {
			for i := range p {
				if p[i] != nil {
					rest.p[i] += p[i][state]
				}
			}
			continue
		}
		line := beliefLine{state: name, p: make([]float64, b.sets), marked: make([]bool, b.sets)}
		for i := range p {
			if line.p[i] = math.NaN(); p[i] != nil {
				line.p[i] = p[i][state]
			}
			at, ok := beliefs[i].Evidence[v.Name]
			line.marked[i] = ok && at == name
			b.marked = b.marked || line.marked[i]
		}
		b.lines = append(b.lines, line)
	}
	if len(shown) < v.Cardinality() {
		b.lines = append(b.lines, rest)
	}
	for _, line := range b.lines {
		b.stateWidth = max(b.stateWidth, min(b.stateStyle(line).Width(line.state), beliefState))
		for i, x := range line.p {
			b.numberWidth[i] = max(b.numberWidth[i], b.numberStyle(i).Width(beliefNumber(x)))
		}
	}
	return b
}

// withValues writes below the name of a variable what it is observed to be, or the soft finding.
func withValues(n node, name string, beliefs []Beliefs) node {
	known := func(b Beliefs) bool { _, ok := b.Evidence[name]; return ok || b.Soft[name] != "" }
	if !slices.ContainsFunc(beliefs, known) {
		return n
	}
	sty := style(sizeSmall, ink, false)
	for i, b := range beliefs {
		value := "–"
		if at, ok := b.Evidence[name]; ok {
			value = shorten(sty, "= "+at, nodeStates)
		} else if b.Soft[name] != "" {
			value = shorten(sty, b.Soft[name], nodeStates)
		}
		n.states = append(n.states, value)
		n.inks = append(n.inks, beliefInk(i, len(beliefs)))
	}
	return n
}

// mostProbable returns the states to show: all when they are few, else the most probable ones
// in any set, of equals the first.
func mostProbable(p [][]float64, states int) []int {
	order := make([]int, states)
	most := make([]float64, states)
	for state := range order {
		order[state] = state
		for i := range p {
			if p[i] != nil {
				most[state] = max(most[state], math.Round(p[i][state]*1e9)) // rounding makes equals
			}
		}
	}
	if states <= maxStates {
		return order
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case most[a] > most[b]:
			return -1
		case most[a] < most[b]:
			return 1
		}
		return 0
	})
	return order[:maxStates-1]
}

// beliefNumber prints a probability, and a dash for none.
func beliefNumber(p float64) string {
	if math.IsNaN(p) {
		return "–"
	}
	return shortProbability(p)
}

// beliefInk is the colour of numbers: where there are several sets, that of the set.
func beliefInk(i, sets int) color.Color {
	if sets == 1 {
		return ink
	}
	return mix(seriesColor(i), ink, 0.25)
}

func (b *beliefBox) numberStyle(i int) text.Style {
	return style(sizeSmall, readable(beliefInk(i, b.sets), b.body), false)
}

func (b *beliefBox) stateStyle(line beliefLine) text.Style {
	return style(sizeSmall, ink, slices.Contains(line.marked, true))
}

// lineHeight is that of a state: room for its name and for a bar of each set.
func (b *beliefBox) lineHeight() vg.Length { return max(lineHeight, 4*vg.Length(b.sets)+3) }

func (b *beliefBox) size() vg.Point {
	w := 2*boxEdge + b.stateWidth + barGap + beliefBar
	if b.marked {
		w += markWidth
	}
	for _, number := range b.numberWidth {
		w += barGap + number
	}
	w = max(w, min(style(sizeText, ink, false).Width(b.name), nodeName)+2*boxEdge+4)
	for _, soft := range b.soft {
		w = max(w, min(style(sizeSmall, ink, false).Width(soft), nodeStates)+2*boxEdge)
	}
	return vg.Point{X: w, Y: headHeight + 3 + vg.Length(len(b.lines))*b.lineHeight() + 3 + b.footHeight()}
}

// footHeight is that of the soft findings, a line for each set of beliefs that has one.
func (b *beliefBox) footHeight() vg.Length {
	var h vg.Length
	for _, soft := range b.soft {
		if soft != "" {
			h += lineHeight
		}
	}
	return h
}

func (b *beliefBox) draw(c draw.Canvas, place vg.Rectangle) {
	const radius = 5
	outline := roundedBox(place, radius)
	c.SetColor(b.body)
	c.Fill(outline)
	head := place
	head.Min.Y = place.Max.Y - headHeight
	c.SetColor(b.fill)
	c.Fill(roofedBox(head, radius))
	c.SetLineStyle(b.edge())
	c.Stroke(outline)
	edge := draw.LineStyle{Color: nodeEdge, Width: 0.5}
	c.StrokeLine2(edge, place.Min.X, head.Min.Y, place.Max.X, head.Min.Y)
	name := style(sizeText, ink, false)
	if dark(b.fill) {
		name.Color = white
	}
	centred(c, name, (place.Min.X+place.Max.X)/2, head.Min.Y+headHeight/2, shorten(name, b.name, nodeName))
	y := head.Min.Y - 3
	for _, line := range b.lines {
		y -= b.lineHeight()
		b.drawLine(c, line, vg.Rectangle{Min: vg.Point{X: place.Min.X + boxEdge, Y: y},
			Max: vg.Point{X: place.Max.X - boxEdge, Y: y + b.lineHeight()}})
	}
	for i, soft := range b.soft {
		if soft != "" {
			y -= lineHeight
			sty := b.numberStyle(i)
			middle(c, sty, place.Min.X+boxEdge, y+lineHeight/2, shorten(sty, soft, place.Max.X-place.Min.X-2*boxEdge))
		}
	}
}

// drawLine draws a state: its marks, its name, the bars and the numbers.
func (b *beliefBox) drawLine(c draw.Canvas, line beliefLine, place vg.Rectangle) {
	mid := (place.Min.Y + place.Max.Y) / 2
	right := place.Max.X
	for i := b.sets - 1; i >= 0; i-- {
		sty := b.numberStyle(i)
		number := beliefNumber(line.p[i])
		middle(c, sty, right-sty.Width(number), mid, number)
		right -= b.numberWidth[i] + barGap
	}
	left := place.Min.X
	if b.marked {
		left += markWidth
	}
	sty := b.stateStyle(line)
	middle(c, sty, left, mid, shorten(sty, line.state, beliefState))
	left += b.stateWidth + barGap
	fillBox(c, vg.Rectangle{Min: vg.Point{X: left, Y: place.Min.Y + 1}, Max: vg.Point{X: right, Y: place.Max.Y - 1}},
		mix(b.body, ink, 0.07))
	high := (b.lineHeight() - 3) / vg.Length(b.sets)
	for i, p := range line.p {
		top := place.Max.Y - 1.5 - vg.Length(i)*high
		if p > 0 {
			fillBox(c, vg.Rectangle{Min: vg.Point{X: left, Y: top - high},
				Max: vg.Point{X: left + vg.Length(min(p, 1))*(right-left), Y: top}}, barColor(i))
		}
		if line.marked[i] {
			col := beliefInk(i, b.sets)
			pointer(c, col, vg.Point{X: place.Min.X + markWidth - 3, Y: top - high/2}, min(high, 6))
		}
	}
}

// pointer is a triangle that points to the right, its tip at a point.
func pointer(c draw.Canvas, col color.Color, tip vg.Point, high vg.Length) {
	var p vg.Path
	p.Move(tip)
	p.Line(vg.Point{X: tip.X - 5, Y: tip.Y + high/2})
	p.Line(vg.Point{X: tip.X - 5, Y: tip.Y - high/2})
	p.Close()
	c.SetColor(col)
	c.Fill(p)
}
