package viz

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A mosaic is the slices of a volume in a grid.
type mosaic struct {
	panels  []panel
	sides   [2]string
	columns int
	voxel   vg.Length // its side
	mark    vg.Length // the most of the name of a side above a narrow slice
}

// A panel is one slice, with room for the voxels of all.
type panel struct {
	z int
	slice
	about map[place]string // of what is shown of the contrast
}

const (
	figureMargin = 8                        // of titled
	pageWidth    = 10.2*72 - 2*figureMargin // 980 pixels of a page
	pageHeight   = 5.4 * 72
	voxelMost    = 14
	panelGap     = 10
	panelTop     = 15 // room of z and of the marks
	markMost     = 36
	markGap      = 3
)

// newMosaic deals the voxels of both layers to the slices.
func newMosaic(mean, contrast Layer, scale signedScale, o *ContrastOptions) (*mosaic, error) {
	m := &mosaic{sides: o.Sides}
	list := o.Slices
	if list == nil {
		list = slices.Compact(slices.Sorted(slices.Values(contrast.Z)))
	}
	data := nothing()
	for _, v := range mean.Values {
		data.add(v)
	}
	for _, z := range list {
		if !slices.Contains(contrast.Z, z) {
			return nil, fmt.Errorf("viz: no voxel of the contrast is in slice %d", z)
		}
		p := panel{z: z, slice: slice{index: make(map[place]int)}, about: make(map[place]string)}
		for i, v := range mean.Values {
			if share := 0.5; mean.Z[i] == z {
				if data.lo < data.hi {
					share = (v/2 - data.lo/2) / (data.hi/2 - data.lo/2)
				}
				p.add(place{mean.X[i], mean.Y[i]}, meanGrey(share), -1)
			}
		}
		for i, v := range contrast.Values {
			if contrast.Z[i] != z {
				continue
			}
			at, cluster := place{contrast.X[i], contrast.Y[i]}, -1
			if o.Clusters != nil {
				cluster = o.Clusters[i]
			}
			p.add(at, meanGrey(0.5), cluster)
			if scale.shows(v) {
				p.fill[p.index[at]] = scale.at(v)
				p.about[at] = contrast.about(i)
			}
		}
		m.panels = append(m.panels, p)
	}
	return m, m.box()
}

// add gives the slice a voxel, or a voxel that it has another cluster.
func (p *panel) add(at place, fill color.NRGBA, cluster int) {
	i, known := p.index[at]
	if !known {
		i = len(p.places)
		p.index[at] = i
		p.places, p.fill, p.clusters = append(p.places, at), append(p.fill, fill), append(p.clusters, cluster)
	}
	p.clusters[i] = cluster
}

// box gives all slices the same bounds.
func (m *mosaic) box() error {
	lo, hi := m.panels[0].places[0], m.panels[0].places[0]
	for _, p := range m.panels {
		for _, at := range p.places {
			lo, hi = place{min(lo.x, at.x), min(lo.y, at.y)}, place{max(hi.x, at.x), max(hi.y, at.y)}
		}
	}
	if w, h := float64(hi.x)-float64(lo.x), float64(hi.y)-float64(lo.y); max(w, h) >= maxSide {
		return fmt.Errorf("viz: the slices extend over %.0f × %.0f voxels, at most %d × %d can be drawn", w+1, h+1,
			maxSide, maxSide)
	}
	for i := range m.panels {
		m.panels[i].lo, m.panels[i].hi = lo, hi
	}
	return nil
}

// extent is the size of a slice in voxels.
func (m *mosaic) extent() (w, h vg.Length) {
	p := m.panels[0]
	return vg.Length(p.hi.x - p.lo.x + 1), vg.Length(p.hi.y - p.lo.y + 1)
}

// rows is the number of rows of the grid.
func (m *mosaic) rows() int { return (len(m.panels) + m.columns - 1) / m.columns }

// cell is the width of a slice, and of what stands above it: its z between the marks of the sides.
func (m *mosaic) cell() vg.Length {
	w, _ := m.extent()
	mark := style(sizeText, ink, true)
	var most vg.Length
	for _, s := range m.sides {
		if s != "" {
			most = max(most, min(mark.Width(s), m.mark)+markGap)
		}
	}
	return max(w*m.voxel, m.label()+2*most)
}

// label is the width of the widest z.
func (m *mosaic) label() vg.Length {
	var most vg.Length
	for _, p := range m.panels {
		most = max(most, style(sizeSmall, faint, false).Width(p.label()))
	}
	return most
}

// label names the slice.
func (p *panel) label() string { return fmt.Sprintf("z = %d", p.z) }

// arrange chooses the grid of some width in which voxels are largest. It returns an error where none has room for them.
func (m *mosaic) arrange(width vg.Length) error {
	w, h := m.extent()
	m.mark = max(min(markMost, (width-m.label())/2-markGap), 0)
	best := *m
	for m.columns = 1; m.columns <= len(m.panels); m.columns++ {
		across, down := vg.Length(m.columns), vg.Length(m.rows())
		m.voxel = min((width-panelGap*(across-1))/(across*w), (pageHeight/down-panelTop-panelGap)/h, voxelMost)
		if m.voxel > best.voxel && (m.columns == 1 || m.cell()*across+panelGap*(across-1) <= width+1e-9) {
			best = *m
		}
	}
	*m = best
	if m.columns == 0 {
		return fmt.Errorf("viz: %d slices have no room in %.3g inches; give fewer in Slices, or a greater Width",
			len(m.panels), width.Points()/72)
	}
	return nil
}

// size is that of the grid.
func (m *mosaic) size() (w, h vg.Length) {
	_, h = m.extent()
	across, down := vg.Length(m.columns), vg.Length(m.rows())
	return across*m.cell() + panelGap*(across-1), down*(h*m.voxel+panelTop) + panelGap*(down-1)
}

// draw draws the slices from the upper left corner of c.
func (m *mosaic) draw(c draw.Canvas) {
	w, h := m.extent()
	w, h = w*m.voxel, h*m.voxel
	cell := m.cell()
	room := (cell-m.label())/2 - markGap // of a mark
	sty, mark := style(sizeSmall, faint, false), style(sizeText, ink, true)
	sty.XAlign, sty.YAlign = draw.XCenter, draw.YTop
	for i, p := range m.panels {
		left := c.Min.X + vg.Length(i%m.columns)*(cell+panelGap)
		top := c.Max.Y - vg.Length(i/m.columns)*(h+panelTop+panelGap)
		c.FillText(sty, vg.Point{X: left + cell/2, Y: top}, p.label())
		first, second := shorten(mark, m.sides[0], room), shorten(mark, m.sides[1], room)
		middle(c, mark, left, top-6, first)
		middle(c, mark, left+cell-mark.Width(second), top-6, second)
		left += (cell - w) / 2
		place := vg.Rectangle{Min: vg.Point{X: left, Y: top - panelTop - h},
			Max: vg.Point{X: left + w, Y: top - panelTop}}
		p.draw(draw.Canvas{Canvas: c.Canvas, Rectangle: place})
		p.hints(c, place.Min, m.voxel)
	}
}

// hints tell the values of the contrast.
func (p *panel) hints(c draw.Canvas, origin vg.Point, voxel vg.Length) {
	for _, at := range p.places {
		text, shown := p.about[at]
		if !shown {
			continue
		}
		corner := origin.Add(vg.Point{X: voxel * vg.Length(at.x-p.lo.x), Y: voxel * vg.Length(at.y-p.lo.y)})
		hint(c, vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: voxel, Y: voxel})}, text)
	}
}
