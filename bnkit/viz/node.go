package viz

import (
	"fmt"
	"image/color"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

const (
	nodeName   = 180 // greatest width of a name
	nodeStates = 120 // greatest width of a line of states
	lineHeight = 11  // of a line of states
	maxStates  = 8   // that are written out
)

// A node is a variable drawn by its name: a box, or an ellipse.
type node struct {
	name   string
	states []string      // lines below the name
	inks   []color.Color // of these lines; nil where all are faint
	round  bool
	fill   color.Color
	soft   []string // what is known short of a value, by set of beliefs; nil where nothing is
	dashed bool     // none of the beliefs has it observed
	small  bool
}

var (
	nodeFill  = color.NRGBA{240, 245, 251, 255}
	roundFill = color.NRGBA{237, 247, 241, 255}
	shadeFill = color.NRGBA{198, 203, 210, 255}
	softFill  = color.NRGBA{228, 231, 235, 255}
	nodeEdge  = color.NRGBA{80, 100, 125, 255}
)

// softDashes are those of the outline of a variable with a soft finding.
var softDashes = []vg.Length{3, 2}

// stateLines writes the states of a variable in lines, the last ones left out when
// they are many.
func stateLines(v bn.Variable) []string {
	if !v.IsDiscrete() {
		return []string{"continuous"}
	}
	states := v.States
	text := strings.Join(states, ", ")
	if len(states) > maxStates {
		text = strings.Join(states[:maxStates-1], ", ") + fmt.Sprintf(", … %d more", len(states)-maxStates+1)
	}
	return wrap(style(sizeSmall, faint, false), text, nodeStates)
}

func (n node) isRound() bool { return n.round }

// setSoft takes over what beliefs have as soft findings; an observed variable stays as it is otherwise.
func (n *node) setSoft(observed bool, beliefs []Beliefs) {
	if !slices.ContainsFunc(beliefs, func(b Beliefs) bool { return b.Soft[n.name] != "" }) {
		return
	}
	for _, b := range beliefs {
		n.soft = append(n.soft, b.Soft[n.name])
	}
	if n.dashed = !observed; n.dashed && (n.fill == nodeFill || n.fill == roundFill) {
		n.fill = softFill
	}
}

// edge is the outline.
func (n node) edge() draw.LineStyle {
	sty := draw.LineStyle{Color: nodeEdge, Width: 0.9}
	if n.dashed {
		sty.Dashes = softDashes
	}
	return sty
}

// nameStyle is that of the name.
func (n node) nameStyle() text.Style {
	if n.small {
		return style(sizeSmall, ink, false)
	}
	return style(sizeText, ink, false)
}

// size is the place the node needs.
func (n node) size() vg.Point {
	w := min(n.nameStyle().Width(n.name), nodeName)
	for _, line := range n.states {
		w = max(w, style(sizeSmall, ink, false).Width(line))
	}
	size := vg.Point{X: max(w+14, 34), Y: 20 + vg.Length(len(n.states))*lineHeight}
	if n.small {
		size.Y -= 4
	}
	if n.round {
		more := vg.Length(max(0, len(n.states)-1)) // lines, which reach to where an ellipse is narrow
		size.X, size.Y = size.X*min(1.15+0.1*more, 1.4), size.Y*1.25
	}
	return size
}

// draw draws the node in its place.
func (n node) draw(c draw.Canvas, place vg.Rectangle) {
	outline := roundedBox(place, 5)
	if n.round {
		outline = ellipse(place)
	}
	fillAndDash(c, outline, n.fill, n.edge())
	middle := (place.Min.Y + place.Max.Y) / 2
	y := middle + vg.Length(len(n.states))*lineHeight/2
	x := (place.Min.X + place.Max.X) / 2
	name := n.nameStyle()
	if dark(n.fill) {
		name.Color = white
	}
	centred(c, name, x, y, shorten(name, n.name, nodeName))
	for i, line := range n.states {
		var col color.Color = faint
		if n.inks != nil {
			col = n.inks[i]
		}
		centred(c, style(sizeSmall, readable(col, n.fill), false), x, y-vg.Length(i+1)*lineHeight, line)
	}
}

// centred writes a line with its middle at a point; the small letters count, not the
// room for accents.
func centred(c draw.Canvas, sty text.Style, x, y vg.Length, s string) {
	c.FillText(sty, vg.Point{X: x - sty.Width(s)/2, Y: y - 0.3*sty.Font.Size - baseline(sty)}, s)
}

// baseline is how far FillText sets the letters of a line above the point it is given.
func baseline(sty text.Style) vg.Length {
	return sty.Font.Size - sty.FontExtents().Ascent
}

// dark reports whether white text reads better on a colour than black.
func dark(col color.Color) bool {
	r, g, b, _ := col.RGBA()
	return 0.299*float64(r)+0.587*float64(g)+0.114*float64(b) < 0.44*0xffff
}

// unknownArc names the first label, in sorted order, whose arc does not exist.
func unknownArc(g *bn.DAG, labels map[[2]string]string) error {
	keys := slices.SortedFunc(maps.Keys(labels), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	for _, k := range keys {
		child, err := g.Index(k[1])
		if err != nil {
			return say.Errorf("viz: arc labels: %w", err)
		}
		parent, err := g.Index(k[0])
		if err != nil {
			return say.Errorf("viz: arc labels: %w", err)
		}
		if !slices.Contains(g.Parents(child), parent) {
			return say.Errorf("viz: arc labels: there is no arc from %q to %q", k[0], k[1])
		}
	}
	return nil
}
