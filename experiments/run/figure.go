package run

import (
	"bnlab/internal/atomicfile"
	"bnlab/internal/say"
)

// A Picture draws itself. The pictures of bnkit/viz do.
type Picture interface {
	PNG() ([]byte, error)
	SVG() ([]byte, error)
}

// SaveFigure writes the picture as name.png and name.svg.
func (j *Job) SaveFigure(name string, p Picture) error {
	for _, form := range []struct {
		ext  string
		draw func() ([]byte, error)
	}{{".png", p.PNG}, {".svg", p.SVG}} {
		path, err := j.path(name, form.ext)
		if err != nil {
			return err
		}
		b, err := form.draw()
		if err != nil {
			return say.Errorf("figure %s%s: %w", name, form.ext, err)
		}
		if err := atomicfile.WriteFile(path, b); err != nil {
			return err
		}
	}
	return nil
}
