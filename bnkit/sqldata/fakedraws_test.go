package sqldata_test

import (
	"fmt"
	"strings"

	"database/sql/driver"
)

// drawn answers a SELECT that sums how often rows are drawn.
func (f *fake) drawn(r *reply, m []string) error {
	keyed, hashes := aliased(m[4]), aliased(m[3])
	var sums []string
	for i := range strings.Count(m[2], "SUM(") {
		sums = append(sums, strings.TrimSuffix(strings.TrimPrefix(aliased(m[2])[fmt.Sprintf("r%d", i)], "SUM("), ")"))
	}
	weights := make([][]int64, len(sums))
	for i, sum := range sums {
		hash := fmt.Sprintf("m%d", i)
		var err error
		if weights[i], err = f.byRow(sum+hashes[hash]+keyed["x0"], func(row int) (int64, error) {
			x, err := evaluate(keyed["x0"], f.key(row))
			if err != nil {
				return 0, err
			}
			h, err := evaluate(hashes[hash], one("x0", x))
			if err != nil {
				return 0, err
			}
			return evaluate(sum, one(hash, h))
		}); err != nil {
			return err
		}
	}
	if m[5] == "" {
		row := []driver.Value{int64(f.cases.Rows())}
		for _, w := range weights {
			total := int64(0)
			for _, n := range w {
				total += n
			}
			row = append(row, total)
		}
		if strings.HasSuffix(m[1], ` AS "g0", `) {
			row = append([]driver.Value{int64(0)}, row...)
		}
		r.columns = make([]string, len(row))
		r.rows = append(r.rows, row)
		return nil
	}
	plain := "SELECT " + m[1] + `COUNT(*) AS "n" FROM (SELECT ` + m[4] + ` FROM t) AS "cases"` + m[5]
	groups, at := make(map[string][]driver.Value), make([]string, f.cases.Rows())
	for row := range at { // the group of each row is that of the row alone
		alone := &fake{cases: f.cases.Select([]int{row}), keys: f.keys[row : row+1]}
		one := &reply{}
		if err := alone.groupings(one, plain); err != nil {
			return err
		}
		for _, group := range one.rows {
			values := group[:len(group)-1]
			name := fmt.Sprintf("%q", values)
			if groups[name] == nil {
				groups[name] = append(append([]driver.Value{}, values...), make([]driver.Value, 1+len(sums))...)
				for i := range len(sums) + 1 {
					groups[name][len(values)+i] = int64(0)
				}
			}
			g := groups[name][len(values):]
			g[0] = g[0].(int64) + 1
			for i := range sums {
				g[1+i] = g[1+i].(int64) + weights[i][row]
			}
		}
	}
	for _, group := range groups {
		r.columns = make([]string, len(group))
		r.rows = append(r.rows, group)
	}
	return nil
}

// one is a table of one column and row.
func one(name string, value int64) func(string) (int64, bool) {
	return func(asked string) (int64, bool) { return value, asked == name }
}

// byRow evaluates something once for each row.
func (f *fake) byRow(text string, of func(row int) (int64, error)) ([]int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if kept := f.kept[text]; kept != nil {
		return kept, nil
	}
	out := make([]int64, f.cases.Rows())
	for row := range out {
		var err error
		if out[row], err = of(row); err != nil {
			return nil, err
		}
	}
	if f.kept == nil {
		f.kept = make(map[string][]int64)
	}
	f.kept[text] = out
	return out, nil
}
