package viz

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bnlab/internal/num"
	"bnlab/internal/say"
)

// A Layer is a value at each of some voxels of a volume: of the n-th at X[n], Y[n], Z[n].
type Layer struct {
	X, Y, Z []int
	Values  []float64
}

// ContrastOptions are the options of [ContrastMap]. Nil means the defaults.
type ContrastOptions struct {
	// Title is above the slices.
	Title string
	// Quantity names the contrast with its unit, as "face minus house (% of the mean)".
	Quantity string
	// Threshold is the least distance from zero that is shown; what is nearer lets the mean through. The same unit as
	// the contrast.
	Threshold float64
	// Limit is the distance from zero that has the darkest colour, as what is beyond has, for which the bar has arrows;
	// 0 means the greatest of all.
	Limit float64
	// Sides name the sides of the least and of the greatest x, as {"R", "L"}; empty marks none. See hpm.Study.Sides.
	Sides [2]string
	// Slices are the values of z to draw, in this order; nil means all that have a contrast.
	Slices []int
	// Clusters, if any, are those of the voxels of the contrast; lines are drawn between them.
	Clusters []int
	// Width is the most that the figure takes, in inches; 0 means 10.2.
	Width float64
}

// ContrastMap draws a contrast over a mean image, slice by slice: the mean in light grey, and over it voxels whose
// contrast reaches the threshold, blue above zero and orange below. The farther from zero, the darker, equally for
// both signs and always darker than the mean, so that the size survives print in grey; in it the sign does not.
// Slices (constant z) stand in a grid of at most 10.2 inches, 980 pixels of a page, with x to the right and y upwards,
// each with its z and the marks of the sides. A pointer on a voxel that is shown tells its value in SVG, for the first
// 2,000 of them.
//
// The mean may have other voxels than the contrast, as those of the whole head; without any, what is below the
// threshold is of one grey.
//
// It returns an error that names the voxel for values that are not finite and for two voxels at one place, and one
// for lengths that differ, a threshold, limit or width out of range, a slice without voxels, and one wider than 2,000
// voxels.
func ContrastMap(mean, contrast Layer, opts *ContrastOptions) (*Figure, error) {
	o := ContrastOptions{}
	if opts != nil {
		o = *opts
	}
	if err := mean.check("mean"); err != nil {
		return nil, err
	}
	if err := contrast.check("contrast"); err != nil {
		return nil, err
	}
	greatest, room := 0.0, vg.Length(pageWidth)
	if o.Width != 0 {
		room = min(room, vg.Length(o.Width)*vg.Inch-2*figureMargin)
	}
	for _, v := range contrast.Values {
		greatest = max(greatest, math.Abs(v))
	}
	switch {
	case len(contrast.Values) == 0:
		return nil, errors.New("viz: the contrast has no voxels to draw")
	case !(o.Width >= 0) || o.Width > 0 && o.Width < 2:
		return nil, say.Errorf("viz: slices in a width of %v inches; give 2 or more, or 0 for 10.2", o.Width)
	case !(o.Threshold >= 0) || math.IsInf(2*o.Threshold, 1):
		return nil, say.Errorf("viz: the threshold of the contrast is %v; give a distance from zero", o.Threshold)
	case !(o.Limit >= 0) || math.IsInf(o.Limit, 1):
		return nil, say.Errorf("viz: the limit of the contrast is %v; give a distance from zero, or 0 for the "+
			"greatest", o.Limit)
	case o.Limit > 0 && o.Limit <= o.Threshold:
		return nil, say.Errorf("viz: the limit of the contrast, %v, is not above the threshold, %v", o.Limit,
			o.Threshold)
	case o.Slices != nil && len(o.Slices) == 0:
		return nil, errors.New("viz: Slices names none; leave it nil for all")
	case o.Clusters != nil && len(o.Clusters) != len(contrast.Values):
		return nil, fmt.Errorf("viz: there are %d clusters for %d voxels of the contrast", len(o.Clusters),
			len(contrast.Values))
	}
	if o.Limit == 0 {
		o.Limit = greatest
		if !(greatest > o.Threshold) { // nothing is shown, and the bar has some length
			o.Limit = max(2*o.Threshold, 1)
		}
	}
	scale := signedScale{o.Threshold, o.Limit}
	m, err := newMosaic(mean, contrast, scale, &o)
	if err != nil {
		return nil, err
	}
	bar := signedBar{scale, o.Quantity, slices.Min(contrast.Values) < 0, greatest > o.Limit}
	if err := m.arrange(room - bar.width()); err != nil {
		return nil, err
	}
	width, height := m.size()
	height = max(height, bar.height())
	return titled(o.Title, nil, width+bar.width(), height, func(c draw.Canvas) {
		bar.draw(c)
		m.draw(draw.Crop(c, 0, -bar.width(), 0, 0))
	}), nil
}

// check returns an error for a layer that cannot be drawn.
func (l Layer) check(name string) error {
	n := len(l.Values)
	if len(l.X) != n || len(l.Y) != n || len(l.Z) != n {
		return say.Errorf("viz: the %s has %d values at %d x, %d y and %d z; give as many of each", name, n, len(l.X),
			len(l.Y), len(l.Z))
	}
	seen := make(map[[3]int]bool, n)
	for i, v := range l.Values {
		at := [3]int{l.X[i], l.Y[i], l.Z[i]}
		if !num.Finite(v) {
			return say.Errorf("viz: voxel (%d, %d, %d) of the %s has the value %v", at[0], at[1], at[2], name, v)
		}
		if seen[at] {
			return say.Errorf("viz: two voxels of the %s are at (%d, %d, %d); keep one", name, at[0], at[1], at[2])
		}
		seen[at] = true
	}
	return nil
}

// about says what a voxel is.
func (l Layer) about(i int) string {
	return fmt.Sprintf("x %d, y %d, z %d: %s", l.X[i], l.Y[i], l.Z[i], strconv.FormatFloat(l.Values[i], 'g', 4, 64))
}
