package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bnlab/datasets"
	"bnlab/experiments/run"
	"bnlab/internal/atomicfile"
	"bnlab/internal/say"
)

// figures is the folder of the reference: results of the papers' sizes, made with all data.
const figures = "figures"

// reference compares results with the reference, puts them in its place, or says what it needs. Nothing runs.
func (r request) reference(ctx context.Context, all []run.Experiment, stdout, stderr io.Writer) int {
	var err error
	status := exitOK
	switch {
	case r.lacking:
		err = lacking(ctx, stdout)
	case r.update:
		status, err = r.adopt(all, stderr)
	default:
		status, err = r.against(stdout)
	}
	if err != nil {
		fmt.Fprintf(stderr, "experiments: %v\n", err)
		return exitFailed
	}
	return status
}

// against prints how the results agree with the reference, and writes it beside them.
func (r request) against(stdout io.Writer) (int, error) {
	a, err := run.Compare(figures, r.options.Out, ids(r.chosen))
	if err != nil {
		return exitFailed, err
	}
	page := a.String()
	fmt.Fprint(stdout, page)
	if err := atomicfile.WriteFile(filepath.Join(r.options.Out, "COMPARISON.txt"), []byte(page)); err != nil {
		return exitFailed, err
	}
	if len(a.Differs()) > 0 {
		return exitFailed, nil
	}
	return exitOK, nil
}

// adopt puts results in the place of those in the reference.
func (r request) adopt(all []run.Experiment, stderr io.Writer) (int, error) {
	var refused []string
	for _, e := range r.chosen {
		if err := run.Adopt(figures, r.options.Out, e.Info().ID); err != nil {
			refused = append(refused, err.Error())
		}
	}
	if _, err := run.WriteReport(figures, ids(all)); err != nil {
		return exitFailed, err
	}
	if len(refused) > 0 {
		return exitFailed, say.Errorf("figures/ is not updated by\n  %s", strings.Join(refused, "\n  "))
	}
	fmt.Fprintf(stderr, "figures/ updated: %s\n", strings.Join(ids(r.chosen), ", "))
	return exitOK, nil
}

// lacking lists the data of the reference that cannot be had here; it fetches what can be fetched.
func lacking(ctx context.Context, stdout io.Writer) error {
	results, err := run.LoadAll(figures, nil)
	if err != nil {
		return err
	}
	var names []string
	for _, result := range results {
		for name := range result.Data {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		f, err := datasets.Open(ctx, name, nil)
		if err != nil {
			text, _, _ := strings.Cut(err.Error(), "\n")
			fmt.Fprintln(stdout, text)
			continue
		}
		if err := f.Close(); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}
