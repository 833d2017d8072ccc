package hpm

import (
	"math"
	"slices"

	"bnlab/internal/english"
	"bnlab/internal/matfile"
	"bnlab/internal/say"
)

// unionRegion is the one region of meta.rois that repeats the voxels of others.
const unionRegion = "LIFG"

// means reports whether the columns of the signal are means over regions.
func (f starPlusFile) means() bool {
	_, err := f.meta.FieldAt(0, "colToROIsupervoxel")
	return err == nil
}

// Voxels reads the positions and regions of the voxels of a StarPlus file, as in [StarPlus.Read],
// of the file with means over regions too, since that file lists the voxels they were taken of.
func (StarPlus) Voxels(path string) ([]Voxel, error) {
	vars, err := matfile.ReadFile(path, nil, "meta")
	if err != nil {
		return nil, say.Errorf("hpm: %w", err)
	}
	voxels, _, err := starPlusFile{meta: vars["meta"]}.listed()
	if err != nil {
		return nil, say.Errorf("hpm: %s: %w", path, err)
	}
	return voxels, nil
}

// listed returns a voxel for each column and region that lists it, and its column, from 0.
func (f starPlusFile) listed() (voxels []Voxel, columns []int, err error) {
	places, err := f.places()
	if err != nil {
		return nil, nil, err
	}
	in, err := f.regions(len(places))
	if err != nil {
		return nil, nil, err
	}
	for c, place := range places {
		for _, place.Region = range in[c] {
			voxels, columns = append(voxels, place), append(columns, c)
		}
	}
	return voxels, columns, nil
}

// voxels gives the study its voxels and returns the column of the signal of each, from 0,
// and how many columns there are.
func (f starPlusFile) voxels(l *Loaded) (columns []int, width int, err error) {
	voxels, columns, err := f.listed()
	if err != nil {
		return nil, 0, err
	}
	if f.means() {
		return f.middles(l, voxels)
	}
	l.Voxels = voxels
	places, err := f.places()
	if err != nil {
		return nil, 0, err
	}
	distinct := len(slices.Compact(slices.Clone(columns)))
	if none := len(places) - distinct; none > 0 {
		l.warn("%s that no region lists left out", english.Count(none, "column"))
	}
	if several := len(columns) - distinct; several > 0 {
		l.warn("%s that two regions list taken in both", english.Count(several, "column"))
	}
	return columns, len(places), nil
}

// places reads where the voxels are.
func (f starPlusFile) places() ([]Voxel, error) {
	places, err := f.meta.Field("colToCoord")
	if err != nil {
		return nil, say.Errorf("meta: %w", err)
	}
	if places.Real == nil || places.Columns() != 3 {
		return nil, say.Errorf("meta.colToCoord is %v; a row of x, y, z for each voxel is wanted", places)
	}
	voxels := make([]Voxel, places.Rows())
	for v := range voxels {
		var at [3]int
		for axis := range at {
			x := places.Real[axis*len(voxels)+v]
			if x != math.Trunc(x) || !(math.Abs(x) <= math.MaxInt32) {
				return nil, say.Errorf("meta.colToCoord(%d, %d) is %v, not a place in a grid", v+1, axis+1, x)
			}
			at[axis] = int(x)
		}
		voxels[v] = Voxel{X: at[0], Y: at[1], Z: at[2]}
	}
	return voxels, nil
}

// regions returns the regions that list each of n columns.
func (f starPlusFile) regions(n int) ([][]string, error) {
	rois, err := f.meta.Field("rois")
	if err != nil {
		return nil, say.Errorf("meta: %w", err)
	}
	in := make([][]string, n)
	for i := range rois.Len() {
		name, err := text(rois, i, "name")
		if err != nil {
			return nil, say.Errorf("meta.rois(%d): %w", i+1, err)
		}
		if name == unionRegion {
			continue
		}
		columns, err := rois.FieldAt(i, "columns")
		if err != nil {
			return nil, say.Errorf("meta.rois(%d): %w", i+1, err)
		}
		for _, c := range columns.Real {
			if !(c >= 1 && c <= float64(n)) || c != math.Trunc(c) {
				return nil, say.Errorf("meta.rois(%d).columns holds %v, not the number of one of %d voxels", i+1, c, n)
			}
			in[int(c)-1] = append(in[int(c)-1], name)
		}
	}
	return in, nil
}

// middles makes a voxel of each region whose mean is a column.
func (f starPlusFile) middles(l *Loaded, voxels []Voxel) (columns []int, width int, err error) {
	names, err := f.meta.Field("colToROIsupervoxel")
	if err != nil {
		return nil, 0, say.Errorf("meta: %w", err)
	}
	for i, cell := range names.Cells {
		name, err := cell.Text()
		if err == nil {
			var m Voxel
			m, err = middle(voxels, name)
			l.Voxels, columns = append(l.Voxels, m), append(columns, i)
		}
		if err != nil {
			return nil, 0, say.Errorf("meta.colToROIsupervoxel{%d}: %w", i+1, err)
		}
	}
	return columns, len(columns), nil
}

// middle returns a voxel in the middle of a region.
func middle(voxels []Voxel, region string) (Voxel, error) {
	var x, y, z, n float64
	for _, v := range voxels {
		if v.Region == region {
			x, y, z, n = x+float64(v.X), y+float64(v.Y), z+float64(v.Z), n+1
		}
	}
	if n == 0 {
		return Voxel{}, say.Errorf("no voxel is in region %q", region)
	}
	return Voxel{X: int(math.Round(x / n)), Y: int(math.Round(y / n)), Z: int(math.Round(z / n)), Region: region}, nil
}
