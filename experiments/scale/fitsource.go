package scale

import (
	"context"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// fitSource fits a network whose variables are those of the source, states in the same order,
// but for hidden ones.
func fitSource(ctx context.Context, net *bn.Network, src data.Source, m learn.Method, set *learn.Settings) (*learn.Result, error) {
	if learn.Iterates(m) {
		var names []string
		for _, v := range src.Variables() {
			if _, err := net.Index(v.Name); err == nil {
				names = append(names, v.Name)
			}
		}
		t, err := src.DistinctRows(ctx, names...)
		if err != nil {
			return nil, err
		}
		return learn.Fit(net, t, m, set)
	}
	families, err := src.CountFamilies(ctx, familiesOf(net), nil)
	if err != nil {
		return nil, err
	}
	c := &data.Counts{Layout: net.Layout(), Rows: src.TotalWeight(), Skipped: make([]float64, net.Len())}
	c.N = make([]float64, c.Layout.Len())
	for v := range families {
		copy(c.Family(v), families[v].N)
	}
	return learn.FromCounts(net, c, m)
}
