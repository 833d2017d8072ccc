package hierarchy_test

import (
	"errors"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure/hierarchy"
)

const smallBrain = `region,hemisphere,lobe,gyrus
l1,left,frontal,middle
l2,left,frontal,superior
l3,left,temporal,middle
r1,right,frontal,middle
r2,right,,insula
r3,right,limbic,insula
`

func parsed(t testing.TB, csv string) *data.Table {
	t.Helper()
	table, err := data.ReadCSV(strings.NewReader(csv), nil)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// The hierarchies below are written out by hand from the table.
func TestFromLabels(t *testing.T) {
	for _, test := range []struct {
		name string
		csv  string
		opts *hierarchy.LabelOptions
		want string
	}{
		{"trellis", smallBrain, nil, `
left
  frontal (also in right)
    middle (also in temporal)
      l1
      l3
      r1
    superior
      l2
  temporal
    middle (see above)
right
  frontal (see above)
  limbic
    insula (also in right)
      r2
      r3
  insula (see above)
`},
		{"separate", smallBrain, &hierarchy.LabelOptions{Separate: true, Levels: []string{"hemisphere", "gyrus"}}, `
left
  left/middle
    l1
    l3
  left/superior
    l2
right
  right/middle
    r1
  right/insula
    r2
    r3
`},
		{"a label of two meanings", "lobe,region,gyrus\ninsula,a,insula\nb,b,insula\n",
			&hierarchy.LabelOptions{Leaf: "region"}, `
insula (lobe)
  insula (gyrus) (also in b (lobe))
    a
    b
b (lobe)
  insula (gyrus) (see above)
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			h, err := hierarchy.FromLabels(parsed(t, test.csv), test.opts)
			if err != nil {
				t.Fatal(err)
			}
			_, tree, _ := strings.Cut(h.String(), "\n")
			if "\n"+tree != test.want {
				t.Errorf("got %s\n%s\nnotes %q", h, test.want, h.Notes())
			}
		})
	}
}

func TestFromLabelsErrors(t *testing.T) {
	for _, test := range []struct {
		name, csv string
		opts      *hierarchy.LabelOptions
		is        error
		text      string
	}{
		{"no labels", "a,x,y\n1,,\n2,u,v\n", nil, data.ErrMissing, "row 1"},
		{"no name", "a,x\n1,u\n,v\n", nil, data.ErrMissing, "row 2"},
		{"twice", "a,x\n1,u\n2,v\n1,w\n", nil, bn.ErrDuplicate, "row 3"},
		{"one column", "a\n1\n", nil, nil, "no column but"},
		{"unknown column", "a,x\n1,u\n", &hierarchy.LabelOptions{Leaf: "b"}, bn.ErrUnknownVariable, `"b"`},
		{"the leaf as a level", "a,x\n1,u\n", &hierarchy.LabelOptions{Levels: []string{"a"}}, bn.ErrDuplicate, `"a"`},
		{"two paths of one name", "a,x,y\n1,u/v,\n2,u,v\n", &hierarchy.LabelOptions{Separate: true}, bn.ErrDuplicate,
			`"u/v" names two variables of the hierarchy, a composite and a composite`},
		{"numbers", "a,x\nu,1.25\nv,2.5\n", nil, nil, "numbers, not labels"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := hierarchy.FromLabels(parsed(t, test.csv), test.opts)
			if err == nil || !strings.Contains(err.Error(), test.text) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("error %v", err)
			}
		})
	}
	if _, err := hierarchy.FromLabels(nil, nil); !errors.Is(err, data.ErrNoRows) {
		t.Errorf("no table: %v", err)
	}
}
