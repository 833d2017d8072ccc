package noisyor

import (
	"bytes"
	"embed"
	"encoding/csv"
	"strconv"
	"strings"

	"bnlab/bnkit/knowledge"
	"bnlab/internal/say"
)

// The published numbers: the heights of the bars of Y13 Figure 3, measured from the figure's
// pixels (to about ±0.002), and the curves of Figure 4, read by eye.
//
//go:embed published/figure3_auc.csv published/figure4_read_by_eye.csv
var publishedFiles embed.FS

// labels are the names of the learners in the figures of Y13.
var labels = map[string]knowledge.Learner{
	"None": knowledge.None, "NoisyOr": knowledge.NoisyOR, "Mono": knowledge.Monotone, "Syn": knowledge.Synergy,
	"NOr+Mono": knowledge.MonotoneNoisyOR, "NOr+Syn": knowledge.SynergyNoisyOR,
}

// A mark is a place in a published figure.
type mark struct {
	domain   string
	examples int // 0 in Figure 3
	learner  knowledge.Learner
}

// publishedAUC reads Figures 3 and 4 of Y13.
func publishedAUC() (map[mark]float64, error) {
	marks := make(map[mark]float64)
	for _, name := range []string{"published/figure3_auc.csv", "published/figure4_read_by_eye.csv"} {
		b, err := publishedFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
		if err != nil {
			return nil, say.Errorf("%s: %w", name, err)
		}
		for _, row := range rows[1:] {
			m := mark{domain: strings.ToLower(row[0])}
			for i, cell := range row[1:] {
				x, err := strconv.ParseFloat(cell, 64)
				if err != nil {
					return nil, say.Errorf("%s: %w", name, err)
				}
				if column := rows[0][i+1]; column == "n_train" {
					m.examples = int(x)
				} else if m.learner, err = learnerOf(column); err != nil {
					return nil, say.Errorf("%s: %w", name, err)
				} else {
					marks[m] = x
				}
			}
		}
	}
	return marks, nil
}

// learnerOf returns the learner that a column of the published numbers is about.
func learnerOf(label string) (knowledge.Learner, error) {
	l, ok := labels[label]
	if !ok {
		return 0, say.Errorf("no learner is called %q", label)
	}
	return l, nil
}
