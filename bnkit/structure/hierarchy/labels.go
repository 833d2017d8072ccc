package hierarchy

import (
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// LabelOptions are the options of [FromLabels]. Nil means the defaults.
type LabelOptions struct {
	// Leaf is the column with the names of the atomic variables; "" means the first.
	Leaf string
	// Levels are the columns of labels, the widest groups first; nil means all others, in
	// the order of the table.
	Levels []string
	// Separate splits a label that is below two others into nodes with the path in
	// their names: "Left Cerebrum/Frontal Lobe". The default is one node with two h-parents,
	// a trellis.
	Separate bool
}

// FromLabels returns the hierarchy of a table with one row for each atomic variable and
// columns of labels such as hemisphere, lobe and gyrus: the variable is below its gyrus,
// that below its lobe, and so on. Missing labels are skipped.
//
// A label that is in several columns, or is also the name of an atomic variable, gets
// its column's name in brackets, "Insula (gyrus)"; [Hierarchy.Notes] says so.
//
// It returns an error for a column that is unknown ([bn.ErrUnknownVariable]) or given twice,
// a table without rows ([data.ErrNoRows]) or without columns of labels, a continuous column
// of labels, and with the row for a variable without a name ([data.ErrMissing]), a name that
// is given twice ([bn.ErrDuplicate]), or a variable without any label ([data.ErrMissing]). Under
// Separate two paths may not make one name, as A then B and the label A/B do ([bn.ErrDuplicate]).
func FromLabels(t *data.Table, opts *LabelOptions) (*Hierarchy, error) {
	l, err := newLabels(t, opts)
	if err != nil {
		return nil, err
	}
	var atomic []string
	var composites []Composite
	at := make(map[string]int) // of composites, by their keys
	for row := range t.Rows() {
		path, keys, err := l.path(row)
		if err != nil {
			return nil, err
		}
		atomic = append(atomic, path[len(path)-1])
		for i, name := range path[:len(path)-1] {
			k, ok := at[keys[i]]
			if !ok {
				k = len(composites)
				at[keys[i]], composites = k, append(composites, Composite{Name: name})
			}
			if c := &composites[k]; !slices.Contains(c.Of, path[i+1]) {
				c.Of = append(c.Of, path[i+1])
			}
		}
	}
	h, err := New(atomic, composites...)
	if err != nil {
		return nil, err
	}
	h.notes = append(l.notes, h.notes...)
	return h, nil
}

// labels are the columns of a table of labels.
type labels struct {
	leaf     data.Column
	levels   []data.Column
	separate bool
	shared   map[string]bool // labels whose name needs its column
	notes    []string
}

func newLabels(t *data.Table, opts *LabelOptions) (*labels, error) {
	if t == nil || t.Rows() == 0 {
		return nil, fmt.Errorf("hierarchy: the table of labels: %w", data.ErrNoRows)
	}
	if opts == nil {
		opts = &LabelOptions{}
	}
	leaf, levels := opts.Leaf, opts.Levels
	if leaf == "" {
		leaf = t.Columns()[0].Var.Name
	}
	if levels == nil {
		for _, c := range t.Columns() {
			if c.Var.Name != leaf {
				levels = append(levels, c.Var.Name)
			}
		}
	}
	if len(levels) == 0 {
		return nil, say.Errorf("hierarchy: the table of labels has no column but %q", leaf)
	}
	part, err := t.Keep(append([]string{leaf}, levels...)...)
	if err != nil {
		return nil, say.Errorf("hierarchy: the table of labels: %w", err)
	}
	cols := part.Columns()
	l := &labels{leaf: cols[0], levels: cols[1:], separate: opts.Separate, shared: make(map[string]bool)}
	return l, l.scan(part.Rows())
}

// scan checks the cells and finds the labels that need their column's name.
func (l *labels) scan(rows int) error {
	number := make(map[string]int) // of the row of an atomic variable
	for row := range rows {
		name := l.leaf.Text(row)
		if name == "" {
			return l.fail(row, data.ErrMissing)
		}
		if first, ok := number[name]; ok {
			return l.fail(row, fmt.Errorf("%w: row %d has this variable too", bn.ErrDuplicate, first+1))
		}
		number[name] = row
	}
	column := make(map[string]string) // where a label first stands
	for _, c := range l.levels {
		if !c.Var.IsDiscrete() {
			return say.Errorf("hierarchy: column %q of the table holds numbers, not labels; name the columns of "+
				"labels in Levels", c.Var.Name)
		}
		for row := range rows {
			label := c.Text(row)
			if label == "" {
				continue
			}
			first, seen := column[label]
			if !seen {
				column[label], first = c.Var.Name, c.Var.Name
			}
			if _, atomic := number[label]; (atomic || first != c.Var.Name) && !l.shared[label] {
				l.shared[label] = true
				l.notes = append(l.notes, fmt.Sprintf(
					"label %q has more than one meaning: its composites have their column in their names", label))
			}
		}
	}
	return nil
}

// fail reports what is wrong with a row.
func (l *labels) fail(row int, err error) error {
	return say.Errorf("hierarchy: the table of labels: %w", &data.ValueError{Row: row + 1, Name: l.leaf.Var.Name,
		Value: l.leaf.Text(row), Err: err})
}

// path returns the names above an atomic variable, the widest group first, and its own. Composites with the
// same key are the same, with the same name they may not be: the labels A and B make A/B as the label A/B does.
func (l *labels) path(row int) (path, keys []string, err error) {
	var at []string
	for _, c := range l.levels {
		name := c.Text(row)
		if name == "" {
			continue
		}
		if l.shared[name] {
			name += " (" + c.Var.Name + ")"
		}
		at = append(at, name)
		key := name
		if l.separate {
			name, key = strings.Join(at, "/"), strings.Join(at, "\x00")
		}
		path, keys = append(path, name), append(keys, key)
	}
	if path == nil {
		return nil, nil, l.fail(row, fmt.Errorf("%w: the variable has no label", data.ErrMissing))
	}
	return append(path, l.leaf.Text(row)), keys, nil
}
