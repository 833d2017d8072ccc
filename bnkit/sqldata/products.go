package sqldata

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// mostProducts bounds the sums of one statement: no database here gives more columns of a result.
const mostProducts = 1500

// fewDigits is the part of a sum of squares below which too few digits of it are left when the mean is taken out: six
// of the sixteen.
const fewDigits = 1e-10

// Products implements the moments of [data.Table.Products] by one statement: means and products by configuration of
// discrete columns. The products are taken about the mean of each column over all rows, which a part of the statement
// finds, and moved here to the means of the groups.
//
//	SELECT c0, SUM(x0), SUM(x0*x0), SUM(x1), SUM(x1*x0), …, COUNT(*)
//	FROM (SELECT a − m0 AS x0, … FROM table CROSS JOIN (SELECT AVG(a) AS m0, … FROM table)) GROUP BY c0
//
// A missing or infinite number is an error ([data.ErrMissing], [data.ErrNumber]) whatever opts say: leave such rows
// out by a Query. Rows in which a discrete cell is missing are left out with opts.SkipMissing. Other errors are those
// of CountFamilies, and more columns than a statement can sum the products of.
func (c *Cases) Products(ctx context.Context, columns, by []string, opts *data.CountOptions) ([]data.Products, error) {
	p := len(columns)
	if p == 0 {
		return nil, errors.New("sqldata: no columns to sum the products of; name some")
	}
	if sums := 3*p + p*(p+1)/2; sums > mostProducts {
		return nil, fmt.Errorf("sqldata: %w: %d columns of numbers need %d sums, and a statement has at most %d; name "+
			"fewer in Continuous", bn.ErrTooLarge, p, sums, mostProducts)
	}
	numbers, set := make([]int, p), make([]int, len(by))
	cards := make([]int, len(by))
	for i, name := range columns {
		var err error
		if numbers[i], err = c.find(name); err != nil {
			return nil, err
		}
		if !c.columns[numbers[i]].continuous {
			return nil, say.Errorf("sqldata: column %q has states; name it in Continuous of Options to sum its "+
				"products", name)
		}
	}
	for i, name := range by {
		var err error
		if set[i], err = c.find(name); err != nil {
			return nil, err
		}
		if c.columns[set[i]].continuous {
			return nil, say.Errorf("sqldata: products by %q: %w", name, bn.ErrNotDiscrete)
		}
		cards[i] = c.columns[set[i]].variable.Cardinality()
	}
	configs, err := bn.NewConfigs(cards...)
	if err != nil {
		return nil, say.Errorf("sqldata: products by %q: %w", by, err)
	}
	b := c.builder()
	b.products(numbers, set)
	fmt.Fprintf(b, " LIMIT %d", c.opts.MaxRows+1)
	var groups map[int][]productGroup // by configuration, one for each shard
	var total int64
	c.passed(2) // for the means, and for the products
	err = c.query(ctx, "sums products", b.String(), b.args, func(rows *sql.Rows) error {
		groups, total = make(map[int][]productGroup), 0
		return c.each(rows, func(row []any) error {
			config, n, g, err := c.productGroup(row, columns, set, configs, opts != nil && opts.SkipMissing)
			total += n
			if config >= 0 && err == nil {
				groups[config] = append(groups[config], g)
			}
			return err
		})
	})
	if err == nil && total != c.rows {
		err = c.changed(fmt.Sprintf("it had %d rows and has %d", c.rows, total))
	}
	if err != nil {
		return nil, err
	}
	out := make([]data.Products, 0, len(groups))
	for config, parts := range groups {
		for i := range p {
			for _, g := range parts {
				if far := g.sums[i] * g.sums[i] / g.n; g.products[i*(i+3)/2]-far < fewDigits*far {
					return nil, say.Errorf("sqldata: column %q differs by so much more between the groups of %q than "+
						"within them that sums of its squares have too few digits; bring it nearer to its group's "+
						"mean in a Query, or learn from a table in memory", columns[i], by)
				}
			}
		}
		out = append(out, merged(config, p, parts))
	}
	slices.SortFunc(out, func(a, b data.Products) int { return a.Config - b.Config })
	return out, nil
}

// products writes the statement of Products but for its limit, for each shard about its own means.
func (b *builder) products(numbers, set []int) {
	c := b.cases
	name := func(letter string, i int) string { return b.quote(c.mark + letter + strconv.Itoa(i)) }
	weight := ""
	if c.opts.Weight != "" {
		weight = b.quote(c.mark+"w") + " * "
	}
	b.shards(func() {
		b.WriteString("SELECT ")
		if len(set) > 0 {
			b.WriteString(b.aliases(set) + ", ")
		}
		for i := range numbers {
			fmt.Fprintf(b, "COUNT(%s), MIN(%s), SUM(%s%s), ", name("x", i), name("m", i), weight, name("x", i))
			for j := range i + 1 {
				fmt.Fprintf(b, "SUM(%s%s * %s), ", weight, name("x", i), name("x", j))
			}
		}
		b.sums()
		b.WriteString(" FROM (SELECT ")
		for i, at := range numbers {
			fmt.Fprintf(b, "%s - %s AS %s, %s, ", c.dialect.number(b.quote(c.columns[at].name), c.columns[at].kind),
				name("m", i), name("x", i), name("m", i))
		}
		for i, s := range set {
			b.expression(c.columns[s])
			b.WriteString(" AS " + b.aliases([]int{s}))
			if i+1 < len(set) || c.opts.Weight != "" {
				b.WriteString(", ")
			}
		}
		switch {
		case c.opts.Weight != "":
			b.weight()
		case len(set) == 0:
			b.WriteString("1 AS " + name("x", len(numbers)))
		}
		b.from()
		b.WriteString(" CROSS JOIN (SELECT ")
		for i, at := range numbers {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(b, "AVG(%s) AS %s", c.dialect.number(b.quote(c.columns[at].name), c.columns[at].kind),
				name("m", i))
		}
		b.from()
		b.WriteString(") AS " + b.quote("means") + ") AS " + b.quote("cases"))
		if len(set) > 0 {
			b.WriteString(" GROUP BY " + b.aliases(set))
		}
	})
}

// productGroup are the sums of one row of the statement, about some point.
type productGroup struct {
	n           float64
	about, sums []float64
	products    []float64 // lower triangle by rows
}

// productGroup reads a row; a negative configuration is one with a missing cell, that is left out.
func (c *Cases) productGroup(row []any, columns []string, set []int, configs bn.Configs, skip bool) (config int,
	rows int64, g productGroup, err error) {
	for i, s := range set {
		state, err := c.columns[s].state(row[i])
		if err != nil {
			return -1, 0, g, err
		}
		if state == bn.Missing {
			if !skip {
				return -1, 0, g, &data.ValueError{Name: c.columns[s].name, Err: data.ErrMissing}
			}
			config = math.MinInt
		}
		config += int(state) * configs.Stride(i)
	}
	if rows, g.n, err = c.measure(row); err != nil || config < 0 || rows == 0 {
		return -1, rows, g, err
	}
	at := len(set)
	for i, name := range columns {
		seen, ok := integer(row[at])
		if !ok {
			return -1, rows, g, fmt.Errorf("sqldata: a number of rows is of the Go type %T", row[at])
		}
		if seen != rows {
			return -1, rows, g, &data.ValueError{Name: name, Err: fmt.Errorf("%w; leave such rows out by a Query",
				data.ErrMissing)}
		}
		var x [2]float64 // the point, and the sum about it
		for j := range x {
			if x[j], ok = float(row[at+1+j]); !ok || !num.Finite(x[j]) {
				return -1, rows, g, &data.ValueError{Name: name, Value: fmt.Sprint(row[at+1+j]), Err: data.ErrNumber}
			}
		}
		g.about, g.sums = append(g.about, x[0]), append(g.sums, x[1])
		for j := range i + 1 {
			product, ok := float(row[at+3+j])
			if !ok || !num.Finite(product) {
				return -1, rows, g, &data.ValueError{Name: name, Value: fmt.Sprint(row[at+3+j]), Err: data.ErrNumber}
			}
			g.products = append(g.products, product)
		}
		at += 3 + i + 1
	}
	return config, rows, g, nil
}

// merged adds the groups of one configuration, one from each shard, in an order that does not depend on the database.
func merged(config, p int, parts []productGroup) data.Products {
	slices.SortFunc(parts, func(a, b productGroup) int {
		return slices.Compare(append([]float64{a.n}, a.sums...), append([]float64{b.n}, b.sums...))
	})
	out := data.Products{Config: config, Mean: make([]float64, p), Centred: make([]float64, p*p)}
	for _, g := range parts {
		if g.n == 0 {
			continue
		}
		n, away := out.N+g.n, make([]float64, p)
		for i := range away {
			away[i] = g.about[i] + g.sums[i]/g.n - out.Mean[i]
		}
		at := 0
		for i := range p {
			for j := range i + 1 {
				x := g.products[at] - g.sums[i]*g.sums[j]/g.n + out.N*g.n/n*away[i]*away[j]
				out.Centred[i*p+j] += x
				if i != j {
					out.Centred[j*p+i] += x
				}
				at++
			}
		}
		for i := range p {
			out.Mean[i] += g.n / n * away[i]
		}
		out.N = n
	}
	return out
}
