package nb

import (
	_ "embed"
	"errors"
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/viz"
	"bnlab/internal/say"
)

// ExploreOptions are the options of [Explore]. Nil means the defaults.
type ExploreOptions struct {
	// Beside is a second model of the same network, such as one fitted without the knowledge: its bars and tables
	// stand beside those of the first, under the same findings.
	Beside bn.Model
	// Name and BesideName stand in the legend; the defaults are "model" and "beside". A Name that is a word is the
	// variable in the line of Go that the explorer offers.
	Name, BesideName string
	// Target is the variable whose what-matters order is shown at first; the default is the last discrete one.
	Target string
	// Evidence is what is found at first: states, sets of them and likelihoods; see [bnkit.Posterior].
	Evidence infer.Evidence
	// Live keeps the cell running for a network that is too wide for a browser, and has it answer several findings
	// exactly, until the cell is interrupted. It changes nothing for other networks, or outside a notebook.
	Live bool
	// Path is an HTML file to write as well, which a browser shows without Jupyter. None when empty.
	Path string
}

// Explore shows a network, or that of a model, to be explored: a bar for each state of each discrete variable, and
// a click on a state makes it a finding that all bars answer, exactly.
//
//	nb.Explore(model, nil)
//	nb.Explore(informed, &nb.ExploreOptions{Name: "informed", Beside: plain, BesideName: "plain"})
//
// Findings are listed, undone one by one or all, and written as a line of Go. Beside them stand the variables that
// tell most about a target (their mutual information with it, in nats, as [bnkit.WhatMatters] has it). A click on the
// name of a variable opens its table in colour, with the cases and the statements that bind each row where the model
// was fitted, and a slider for each state, for likelihood evidence. Keys do what clicks do.
//
// It is one block of HTML, SVG and JavaScript that needs no network and no kernel: it works in a saved notebook, in
// an exported one, and in the file at Path. Where scripts do not run (GitHub, a notebook that is not trusted) it is
// the picture of [Network].
//
// The browser eliminates the variables in tables that are compiled beforehand. Where these have more than 65,536
// entries together, as in very wide networks, it has answers computed beforehand, for one finding at a time; the
// network may then have up to 400 states. With Live the cell's own program answers any findings by GoNB's channel for
// widgets while the cell runs, which it does until it is interrupted; what the cell does after that has a
// [Context] that has ended. Continuous variables are drawn only. Outside a notebook a line of text is
// printed. What cannot be shown ends the cell; see [Must]: a larger network, a second model with another network, an
// unknown target, and evidence that [bnkit.Posterior] refuses or that is an [infer.Distribution].
func Explore(m bn.Model, opts *ExploreOptions) {
	p, err := newExplorer(m, opts)
	NoError(err)
	NoError(show().page(p))
	if opts != nil && opts.Path != "" {
		NoError(p.save(opts.Path))
	}
	if p.live != "" {
		live, err := newLiveExplorer(m, opts.Beside)
		NoError(err)
		live.inNotebook(p.live)
	}
}

var (
	//go:embed explore.js
	exploreJS string
	//go:embed explore.css
	exploreCSS string
)

func newExplorer(m bn.Model, opts *ExploreOptions) (*block, error) {
	if opts == nil {
		opts = &ExploreOptions{}
	}
	if m == nil || m.Network() == nil {
		return nil, errors.New("nb: there is no network")
	}
	data, err := newExploreData(m, opts)
	if err != nil {
		return nil, say.Errorf("nb: explore: %w", err)
	}
	if err := data.answer(m, opts); err != nil {
		return nil, say.Errorf("nb: explore: %w", err)
	}
	if opts.Live && data.Clusters == nil {
		var err error
		if data.Live, err = addressOf(data); err != nil {
			return nil, say.Errorf("nb: explore: %w", err)
		}
	}
	png, err := pictureOf(m, opts, data)
	if err != nil {
		return nil, err
	}
	about := fmt.Sprintf("explorer of %d variables", len(data.Vars))
	alt := "the network with the probability of each state; " + about
	b, err := blockOf("explorer", "explore", about, alt, [][]byte{png}, exploreJS, data, exploreCSS)
	if err != nil {
		return nil, err
	}
	b.live = data.Live
	return b, nil
}

// pictureOf draws what is seen where no script runs.
func pictureOf(m bn.Model, opts *ExploreOptions, data *exploreData) ([]byte, error) {
	var beliefs []viz.Beliefs
	for i, of := range []bn.Model{m, opts.Beside} {
		if of == nil {
			continue
		}
		name := ""
		if opts.Beside != nil {
			name = data.Models[i].Name
		}
		b, err := beliefsOf(name, of, opts.Evidence)
		if err != nil {
			return nil, err
		}
		beliefs = append(beliefs, b)
	}
	f, err := viz.Network(m, &viz.NetworkOptions{Beliefs: beliefs})
	if err != nil {
		return nil, err
	}
	return f.PNG()
}
