package nb

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/viz"
)

// results is a table as experiments write them: the last curve has no band, and one point is missing.
var results = dataframe.ReadCSV(strings.NewReader(`cases,learner,loss,low,high,seed
10,free,0.9,0.8,1,0.12341
10,informed,0.5,0.4,0.6,0.12342
10,paper,0.45,,,1
30,free,0.7,0.6,0.8,1
30,informed,,,,1
30,paper,0.4,,,1
`))

// What is drawn of columns is what viz draws of their numbers.
func TestColumns(t *testing.T) {
	svg := func(f *viz.Figure, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		b, err := f.SVG()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	axes := &viz.Axes{X: "cases", Y: "nats"}
	free := viz.Series{Name: "free", X: []float64{10, 30}, Y: []float64{0.9, 0.7}, Lo: []float64{0.8, 0.6},
		Hi: []float64{1, 0.8}}
	got := svg(CurvesOf(results, "cases", "loss", "learner", "low", "high", &viz.Axes{Y: "nats"}))
	want := svg(viz.Curves([]viz.Series{free,
		{Name: "informed", X: []float64{10}, Y: []float64{0.5}, Lo: []float64{0.4}, Hi: []float64{0.6}},
		{Name: "paper", X: []float64{10, 30}, Y: []float64{0.45, 0.4}}}, axes))
	if !bytes.Equal(got, want) {
		t.Error("the curves differ from those of viz")
	}
	two := results.Subset([]int{0, 3})
	free.Name = ""
	if got, want = svg(CurvesOf(two, "cases", "loss", "", "low", "high", axes)),
		svg(viz.Curves([]viz.Series{free}, axes)); !bytes.Equal(got, want) {
		t.Error("the one curve differs from that of viz")
	}
	got = svg(BarsOf(results.Subset([]int{2, 0, 3, 5}), "cases", "loss", "learner", "low", "high", axes))
	want = svg(viz.Bars([]string{"10", "30"}, []viz.BarSeries{{Name: "paper", Values: []float64{0.45, 0.4}},
		{Name: "free", Values: free.Y, Lo: free.Lo, Hi: free.Hi}}, axes))
	if !bytes.Equal(got, want) {
		t.Error("the bars differ from those of viz")
	}
	// Values that tables write alike are two groups.
	svg(BarsOf(results.Subset([]int{0, 1}), "seed", "loss", "", "", "", nil))
	if dir := os.Getenv("BNLAB_PICTURES"); dir != "" {
		f := Must(CurvesOf(results, "cases", "loss", "learner", "low", "high", nil))
		if err := f.Save(filepath.Join(dir, "columns.png")); err != nil {
			t.Fatal(err)
		}
	}
}

func TestColumnsErrors(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,y,by\n")
	for i := range 13 {
		b.WriteString("1,2," + string(rune('a'+i)) + "\n")
	}
	many := dataframe.ReadCSV(strings.NewReader(b.String()))
	for _, tt := range []struct {
		draw func(df dataframe.DataFrame, x, y, by, low, high string, axes *viz.Axes) (*viz.Figure, error)
		df   dataframe.DataFrame
		args [5]string
		want string
	}{
		{CurvesOf, results, [5]string{"case", "loss"}, `no column "case" to draw; the frame has cases, learner`},
		{CurvesOf, results, [5]string{"learner", "loss"}, `"learner" holds no numbers to draw; BarsOf`},
		{CurvesOf, results, [5]string{"cases", "loss", "method"}, `no column "method"`},
		{CurvesOf, results, [5]string{"cases", "loss", "learner", "low"}, "a band needs two columns"},
		{CurvesOf, results, [5]string{"cases", "loss", "", "low", "high"}, "lo is NaN"},
		{CurvesOf, many, [5]string{"x", "y", "by"}, "13 values, and more than 12"},
		{CurvesOf, results.Select("none"), [5]string{"x", "y"}, "carries an error"},
		{CurvesOf, results.Filter(dataframe.F{Colname: "cases", Comparator: "==", Comparando: 7}),
			[5]string{"cases", "loss"}, "no rows"},
		{CurvesOf, results.Subset([]int{4}), [5]string{"cases", "loss"}, "no curves"},
		{BarsOf, results, [5]string{"cases", "loss", "learner"}, `group "30": value is NaN`},
		{BarsOf, results, [5]string{"cases", "loss"}, "rows 1 and 2 are both of cases = 10"},
		{BarsOf, results.Subset([]int{0, 2, 3}), [5]string{"cases", "loss", "learner"},
			"no row of cases = 30 and learner = paper"},
		{BarsOf, results, [5]string{"case", "loss"}, `no column "case"`},
		{BarsOf, results, [5]string{"cases", "learner"}, `"learner" holds no numbers`},
	} {
		a := tt.args
		if _, err := tt.draw(tt.df, a[0], a[1], a[2], a[3], a[4], nil); err == nil ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: %v, want %q", a, err, tt.want)
		}
	}
}
