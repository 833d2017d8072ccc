package viz

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg/draw"

	"bnlab/bnkit/bn"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// CPTOptions are the options of [CPT]. Nil means the defaults.
type CPTOptions struct {
	// Title is above the table; the default is "P(child | parents)".
	Title string
	// Counts are the case counts of each entry, in the layout of [bn.CPT].P. They are printed
	// small, in parentheses, beside the probabilities, with their sum at the end of the row.
	Counts []float64
	// Lo and Hi are the ends of an interval for each entry, such as a credible interval, in
	// the layout of [bn.CPT].P. They are drawn below the probabilities, as a bar on a line
	// from 0 to 1.
	Lo, Hi []float64
	// Statements are the constraints of each row as sentences, by parent configuration. They are
	// printed at the right; if one applies to several rows, they are numbered and listed below the
	// table.
	Statements [][]string
	// Note is printed below the table.
	Note string
	// MaxRows and MaxStates bound the rows and columns shown; a last line says how
	// many are left out. Zero stands for 32 and 12.
	MaxRows, MaxStates int
}

// CPT draws a table with a row for each parent configuration and a column for each
// state; the darker a cell, the more probable. It returns an error when a row of the
// table is no distribution, or counts, intervals or statements do not fit the table.
func CPT(t *bn.CPT, opts *CPTOptions) (*Figure, error) {
	if t == nil {
		return nil, fmt.Errorf("viz: there is no table to draw")
	}
	if err := t.Validate(); err != nil {
		return nil, say.Errorf("viz: %w", err)
	}
	if opts == nil {
		opts = &CPTOptions{}
	}
	rows := t.Configs().Len()
	if opts.Counts != nil && len(opts.Counts) != len(t.P) {
		return nil, fmt.Errorf("viz: %d counts for a table of %d entries", len(opts.Counts), len(t.P))
	}
	for i, n := range opts.Counts {
		if !num.Finite(n) || n < 0 {
			return nil, say.Errorf("viz: count %d of the table of %q is %v", i+1, t.Child.Name, n)
		}
	}
	if err := checkIntervals(t, opts.Lo, opts.Hi); err != nil {
		return nil, err
	}
	if opts.Statements != nil && len(opts.Statements) != rows {
		return nil, fmt.Errorf("viz: statements for %d rows of a table of %d", len(opts.Statements), rows)
	}
	if opts.MaxRows < 0 || opts.MaxStates < 0 {
		return nil, fmt.Errorf("viz: a table cannot show %d rows and %d states", opts.MaxRows, opts.MaxStates)
	}
	title := opts.Title
	if title == "" {
		title = familyTitle(t)
	}
	s := newCPTSheet(t, opts)
	w, h := s.size()
	return titled(title, nil, w, h, s.draw), nil
}

// checkIntervals returns an error unless there is no interval, or one within 0 and 1 for
// each entry.
func checkIntervals(t *bn.CPT, lo, hi []float64) error {
	if lo == nil && hi == nil {
		return nil
	}
	if len(lo) != len(t.P) || len(hi) != len(t.P) {
		return fmt.Errorf("viz: %d lower and %d upper ends for a table of %d entries", len(lo), len(hi), len(t.P))
	}
	for i := range lo {
		if !(lo[i] >= 0 && lo[i] <= hi[i] && hi[i] <= 1) {
			return say.Errorf("viz: interval %d of the table of %q is from %v to %v; it must lie between 0 and 1", i+1,
				t.Child.Name, lo[i], hi[i])
		}
	}
	return nil
}

// familyTitle is the title a table has by itself, as in "P(grass | rain, sprinkler)".
func familyTitle(t *bn.CPT) string {
	names := make([]string, len(t.Parents))
	for i, p := range t.Parents {
		names[i] = p.Name
	}
	if len(names) == 0 {
		return "P(" + t.Child.Name + ")"
	}
	return "P(" + t.Child.Name + " | " + strings.Join(names, ", ") + ")"
}

// newCPTSheet lays the table out in cells.
func newCPTSheet(t *bn.CPT, opts *CPTOptions) *sheet {
	const widest = 110 // of a name
	rows, shown := t.Configs().Len(), opts.MaxRows
	if shown == 0 {
		shown = 32
	}
	states, columns := t.Child.Cardinality(), opts.MaxStates
	if columns == 0 {
		columns = 12
	}
	shown, columns = min(shown, rows), min(columns, states)

	header := style(sizeText, ink, true)
	plain := style(sizeText, ink, false)
	s := &sheet{}
	var head []cell
	for _, p := range t.Parents {
		head = append(head, cell{text: shorten(header, p.Name, widest), style: header, align: draw.XLeft})
	}
	for _, state := range t.Child.States[:columns] {
		head = append(head, cell{text: shorten(header, state, widest), style: header, align: draw.XCenter})
	}
	if columns < states {
		head = append(head, cell{text: fmt.Sprintf("… %d more", states-columns), style: plain})
	}
	if opts.Counts != nil {
		head = append(head, cell{text: "cases", style: header, align: draw.XRight})
	}
	if opts.Statements != nil {
		head = append(head, cell{text: "bound by", style: header})
	}
	s.add(head)

	sentences := numberStatements(opts.Statements, shown)
	s.notes = sentences
	var before []string
	for config := range shown {
		var row []cell
		names := t.ConfigNames(config)
		repeats := before != nil // the configuration up to here is that of the row above
		for i, name := range names {
			repeats = repeats && name == before[i]
			sty := plain
			if repeats && i < len(names)-1 {
				sty = style(sizeText, faint, false)
			}
			row = append(row, cell{text: shorten(plain, name, widest), style: sty})
		}
		before = names
		total := 0.0
		for state, p := range t.Row(config) {
			if opts.Counts != nil {
				total += opts.Counts[config*states+state]
			}
			if state >= columns {
				continue
			}
			c := probability(p)
			if opts.Counts != nil {
				c.small = "(" + count(opts.Counts[config*states+state]) + ")"
			}
			if opts.Lo != nil {
				entry := config*states + state
				c.span = &span{opts.Lo[entry], opts.Hi[entry], p}
			}
			row = append(row, c)
		}
		if columns < states {
			row = append(row, cell{})
		}
		if opts.Counts != nil {
			row = append(row, cell{text: count(total), style: plain, align: draw.XRight})
		}
		if opts.Statements != nil {
			small := style(sizeSmall, ink, false)
			c := cell{text: strings.Join(noteNumbers(sentences, opts.Statements[config]), ", "), style: small}
			if sentences == nil {
				var lines []string
				for _, sentence := range opts.Statements[config] {
					lines = append(lines, wrap(small, sentence, 300)...)
				}
				c.text = strings.Join(lines, "\n")
			}
			row = append(row, c)
		}
		s.add(row)
	}
	if shown < rows {
		s.foot = fmt.Sprintf("… %s more rows", number(float64(rows-shown), 1))
	}
	s.note = opts.Note
	return s
}

// numberStatements returns the sentences that bind the first rows, in the order in which
// they are met, or nil when none of them binds two rows.
func numberStatements(statements [][]string, rows int) []string {
	var all []string
	again := false
	for config := range min(rows, len(statements)) {
		for _, s := range statements[config] {
			if slices.Contains(all, s) {
				again = true
			} else {
				all = append(all, s)
			}
		}
	}
	if !again {
		return nil
	}
	return all
}

// noteNumbers returns the numbers, from 1, of the sentences that bind a row.
func noteNumbers(all, sentences []string) []string {
	var out []string
	for i, s := range all {
		if slices.Contains(sentences, s) {
			out = append(out, strconv.Itoa(i+1))
		}
	}
	return out
}

// probability is the cell of an entry, from white for 0 to a blue on which letters still
// read well for 1.
func probability(p float64) cell {
	fill := mix(white, sky, p)
	return cell{text: shortProbability(p), style: style(sizeText, ink, false), align: draw.XCenter, fill: &fill}
}

// shortProbability prints three decimals, and never 0 or 1 for what is neither.
func shortProbability(p float64) string {
	switch {
	case p == 0:
		return "0"
	case p == 1:
		return "1"
	case p < 0.0005:
		return "<0.001"
	case p > 0.9995:
		return ">0.999"
	}
	return strconv.FormatFloat(p, 'f', 3, 64)
}

// count prints cases, weighted ones with one decimal.
func count(n float64) string {
	if n == math.Trunc(n) {
		return number(n, 1)
	}
	return number(n, 0.1)
}
