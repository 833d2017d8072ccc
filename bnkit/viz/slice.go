package viz

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A place is a voxel on a slice.
type place struct{ x, y int }

// SliceClusters draws a slice of a volume, a square for each voxel in the colour of its cluster, with lines between
// voxels of different clusters. After 21 clusters the colours begin again. x runs to the right and y upwards. Axes give
// title, labels and size, and cannot be logarithmic.
//
// It returns an error that names the voxel when lengths differ, there are no voxels, two are at one place, or the slice
// is wider or higher than 2,000 voxels.
func SliceClusters(x, y, clusters []int, axes *Axes) (*Figure, error) {
	s, err := newSlice(x, y, len(clusters), axes)
	if err != nil {
		return nil, err
	}
	s.fill, s.clusters = make([]color.NRGBA, len(clusters)), append([]int(nil), clusters...)
	for i, c := range clusters {
		s.fill[i] = clusterColor(c)
	}
	return s.figure(), nil
}

// tints are plain, light and dark colours of the palette.
const tints = 3

// clusterColor returns the colour of a cluster, the same in every figure. There are 21, the
// seven of colorOf plain, light and dark; then they begin again.
func clusterColor(cluster int) color.NRGBA {
	i := wrapped(cluster, len(palette)*tints)
	switch c := seriesColor(i); i / len(palette) {
	case 1:
		return mix(c, white, 0.5)
	case 2:
		return mix(c, ink, 0.45)
	default:
		return c
	}
}

// clusterDashes returns the dashes of a cluster's line. Clusters of one colour differ in them, the first 105; of two
// colours that are alike in grey they may be the same.
func clusterDashes(cluster int) []vg.Length { return seriesDashes(wrapped(cluster, len(dashes))) }

// wrapped is the remainder of a number, which may be negative, from 0 to n−1.
func wrapped(x, n int) int { return (x%n + n) % n }

// slice is a map in the making.
type slice struct {
	axes     *Axes
	places   []place
	index    map[place]int
	fill     []color.NRGBA
	clusters []int
	lo, hi   place
}

// maxSide bounds a slice, in voxels.
const maxSide = 2000

func newSlice(x, y []int, values int, axes *Axes) (*slice, error) {
	a, err := axes.defaults()
	if err != nil {
		return nil, err
	}
	switch {
	case len(x) == 0:
		return nil, fmt.Errorf("viz: the slice has no voxels to draw")
	case len(y) != len(x) || values != len(x):
		return nil, fmt.Errorf("viz: the slice has %d values of x, %d of y and %d of what is shown", len(x), len(y),
			values)
	case a.LogX || a.LogY:
		return nil, fmt.Errorf("viz: a slice has no logarithmic axes")
	case len(a.Palette) > 0:
		return nil, fmt.Errorf("viz: a slice has the colours of its clusters; leave Axes.Palette empty")
	}
	s := &slice{axes: a, index: make(map[place]int, len(x)), lo: place{x[0], y[0]}, hi: place{x[0], y[0]}}
	for i := range x {
		p := place{x[i], y[i]}
		if other, ok := s.index[p]; ok {
			return nil, fmt.Errorf("viz: voxels %d and %d of the slice are both at (%d, %d); draw one slice at a time",
				other+1, i+1, p.x, p.y)
		}
		s.index[p] = i
		s.places = append(s.places, p)
		s.lo, s.hi = place{min(s.lo.x, p.x), min(s.lo.y, p.y)}, place{max(s.hi.x, p.x), max(s.hi.y, p.y)}
	}
	if w, h := float64(s.hi.x)-float64(s.lo.x), float64(s.hi.y)-float64(s.lo.y); max(w, h) >= maxSide {
		return nil, fmt.Errorf("viz: the slice extends over %.0f × %.0f voxels, at most %d × %d can be drawn", w+1, h+1,
			maxSide, maxSide)
	}
	return s, nil
}

// figure is the picture: squares as large as the room allows.
func (s *slice) figure() *Figure {
	w, h := inches(s.axes.Width, s.axes.Height)
	return titled(s.axes.Title, nil, w, h, func(c draw.Canvas) { s.draw(s.drawFrame(c)) })
}

// drawFrame writes what is below and beside the squares, the least and the greatest
// coordinate, and returns the room of the squares.
func (s *slice) drawFrame(c draw.Canvas) draw.Canvas {
	sty := style(sizeSmall, ink, false)
	across, up := s.axes.X, s.axes.Y
	if across == "" {
		across = "x"
	}
	if up == "" {
		up = "y"
	}
	sty.XAlign, sty.YAlign = draw.XCenter, draw.YBottom
	text := fmt.Sprintf("%s %d to %d", across, s.lo.x, s.hi.x)
	c.FillText(sty, vg.Point{X: c.Center().X, Y: c.Min.Y}, shorten(sty, text, c.Max.X-c.Min.X))
	room := sty.Height(text) + 4
	sty.Rotation, sty.YAlign = math.Pi/2, draw.YTop
	side := fmt.Sprintf("%s %d to %d", up, s.lo.y, s.hi.y)
	c.FillText(sty, vg.Point{X: c.Min.X, Y: c.Center().Y + room/2}, shorten(sty, side, c.Max.Y-c.Min.Y-room))
	return draw.Crop(c, room, 0, room, 0)
}

// draw draws the squares and the lines between clusters.
func (s *slice) draw(c draw.Canvas) {
	across, up := vg.Length(s.hi.x-s.lo.x+1), vg.Length(s.hi.y-s.lo.y+1)
	side := min((c.Max.X-c.Min.X)/across, (c.Max.Y-c.Min.Y)/up)
	origin := vg.Point{X: c.Center().X - side*across/2, Y: c.Center().Y - side*up/2}
	corner := func(p place) vg.Point {
		return vg.Point{X: origin.X + side*vg.Length(p.x-s.lo.x), Y: origin.Y + side*vg.Length(p.y-s.lo.y)}
	}
	for i, p := range s.places {
		at := corner(p)
		// Squares reach a little under their right and upper neighbours, so that no
		// seam shows between them.
		to := at.Add(vg.Point{X: side, Y: side})
		if _, ok := s.index[place{p.x + 1, p.y}]; ok {
			to.X += seam
		}
		if _, ok := s.index[place{p.x, p.y + 1}]; ok {
			to.Y += seam
		}
		c.SetColor(s.fill[i])
		c.Fill(vg.Rectangle{Min: at, Max: to}.Path())
	}
	edge := draw.LineStyle{Color: ink, Width: 0.6}
	for i, p := range s.places {
		at := corner(p)
		for _, n := range []struct {
			to         place
			from, till vg.Point
		}{
			{place{p.x + 1, p.y}, vg.Point{X: side}, vg.Point{X: side, Y: side}},
			{place{p.x, p.y + 1}, vg.Point{Y: side}, vg.Point{X: side, Y: side}},
			{place{p.x - 1, p.y}, vg.Point{}, vg.Point{Y: side}},
			{place{p.x, p.y - 1}, vg.Point{}, vg.Point{X: side}},
		} {
			j, inside := s.index[n.to]
			if inside && s.clusters[i] == s.clusters[j] {
				continue
			}
			from, till := at.Add(n.from), at.Add(n.till)
			c.StrokeLine2(edge, from.X, from.Y, till.X, till.Y)
		}
	}
}

// seam is the overlap of neighbouring squares, in points.
const seam = 0.3
