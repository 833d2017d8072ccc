package scale

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"bnlab/bnkit/viz"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// shardsCSV was measured by TestShardCosts of module bnkit/sqldata/drivers, which starts PostgreSQL servers: bytes
// between a coordinator and its shards, and the fewest seconds of three, of one statement that counts all families of
// ASIA. A run measures nothing of it: that takes PostgreSQL with postgres_fdw, which a machine that runs experiments
// need not have.
//
//go:embed shards.csv
var shardsCSV string

// saveShards writes the table of the shards and its figure: bytes by rows, a curve for each number of shards, with
// Options.Shards (groups are sent) and without (rows are).
func saveShards(job *run.Job) error {
	records, err := csv.NewReader(strings.NewReader(shardsCSV)).ReadAll()
	if err != nil {
		return say.Errorf("scale: shards.csv: %w", err)
	}
	t := run.NewTable(records[0]...)
	curves := map[string]*viz.Series{}
	var order []string
	for _, record := range records[1:] {
		cells := make([]any, len(record))
		for i, text := range record {
			cells[i] = text
		}
		t.Append(cells...)
		rows, err := strconv.ParseFloat(record[0], 64)
		if err != nil {
			return say.Errorf("scale: shards.csv: %w", err)
		}
		bytes, err := strconv.ParseFloat(record[5], 64)
		if err != nil {
			return say.Errorf("scale: shards.csv: %w", err)
		}
		name := fmt.Sprintf("%s, %s sent", plural(record[1], "shard"), record[2])
		if curves[name] == nil {
			curves[name] = &viz.Series{Name: name}
			order = append(order, name)
		}
		curves[name].X = append(curves[name].X, rows)
		curves[name].Y = append(curves[name].Y, bytes)
	}
	if err := job.SaveTable("scale-shards.csv", t); err != nil {
		return err
	}
	var series []viz.Series
	for _, name := range order {
		series = append(series, *curves[name])
	}
	figure, err := viz.Curves(series, &viz.Axes{X: "rows", Y: "bytes between the servers", LogX: true, LogY: true})
	if err != nil {
		return err
	}
	return job.SaveFigure("scale-shards", figure)
}

func plural(n, what string) string {
	if n == "1" {
		return n + " " + what
	}
	return n + " " + what + "s"
}
