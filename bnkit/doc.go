// Package bnkit learns Bayesian networks from little data plus what experts know.
// It is the notebook's face of the library: a few verbs over gota dataframes. Each
// verb turns a frame into a table of cases at once and hands it to the packages
// below, which scripts may use directly.
//
//	df, err := bnkit.ReadCSV("cases.csv", nil)
//	net, err := bnkit.NewNetwork("[age][grade][recurrence|age:grade]", df, nil)
//	plan, err := bnkit.Check(net, knowledge...)
//	model, err := bnkit.Fit(ctx, net, df, learn.MAP{Pseudocount: 1, Constraints: knowledge}, nil)
//	score, err := bnkit.LogScore(model, heldOut)
//	post, err := bnkit.Posterior(model, infer.Evidence{"age": "60-69"}, "recurrence")
//	err = bnkit.Save("model.json", model)
//
// Verbs that need only CPTs take a [bn.Model], that is, a model or a network: Posterior, Joint, MostProbable,
// Predict, LogScore and similar ones, CPT, Sample, Check, Save, and those of nb and viz. Verbs
// about a fit take a *Model; verbs that fit take a network. Rows and evidence have the values of the data: a
// model knows the mapping from columns to states, from the Discretization in Settings and from the knowledge file
// of its network. State names are accepted too; an ambiguous value is an error.
//
// Verbs that may take long have a context as their first argument. When it is done, they return the best result so
// far, marked as interrupted. In a notebook pass nb.Context(), which ends when the cell is interrupted; elsewhere
// context.Background() or a context of your own. No verb catches interrupts.
//
// Print the frames that verbs return with nb.Table, in a notebook or a terminal: fmt.Println leaves out columns of
// wide ones.
//
// Verbs for experts' statements: before a fit, Check reports how each will be solved, or which ones contradict
// each other. After it, the model prints how its tables were estimated and what is certified about them; Audit tests
// each statement against the data, Multipliers returns its shadow price, and Intervals and [Coefficients] return
// credible intervals of tables and regressions. GroupAll learns from the cases which parameters to share.
//
// Posterior, Joint, MostProbable, Expectation and Sample query a network given any [infer.Evidence]: states,
// sets of them, likelihoods, distributions, numbers, intervals; [Predict] reads them from the rows of a frame. Impute
// fills missing cells of a frame, [AsMissing] empties those that no state stands for, and Update adds cases to a fit.
//
// WhatMatters returns the value of information, Impacts the effect of each finding and their conflict, and
// Sensitivity how a posterior depends on each table entry.
// PosteriorInterval adds credible intervals to a posterior, PredictInterval to predictions, and VarianceShares
// returns which rows of the tables their width comes from. Effect returns causal effects, if they are identifiable,
// and Counterfactual what would have been in one case. nb.Plot draws what most of these return, and
// nb.Explore shows a network that answers clicks.
//
// Hidden variables and missing cells need an iterative method, such as [learn.EM] or [learn.APN]: name the states
// of hidden variables in NetworkOptions, and Fit as usual. FitSeries fits dynamic networks to series; FilterSeries,
// SmoothSeries, PredictSeries and PathSeries query them, SaveSeries and LoadSeries store them.
//
// Methods describes a fit for the methods section of a paper, as text and as LaTeX.
//
// Search learns the graph too, and ArcStrengths returns the bootstrap strengths of arcs; SearchSeries learns the
// graph of a dynamic network. FitSource takes cases that stay in a database. ReadNetwork and WriteNetwork
// exchange networks with other tools, ReadARFF reads Weka's files, and Frame makes a frame of
// what parquet.Read reads.
//
// The packages: bn (networks), data (tables of cases), constraint (experts' statements), infer (posteriors),
// learn (estimation), structure (graphs from data), dbn (dynamic networks), knowledge (statements in files),
// validate and metric (scores), sqldata (databases), format (exchange files), hpm (brain images), viz
// (pictures), nb (showing things in a notebook).
//
// # Goroutines
//
// Several goroutines may read the same networks, tables of cases, counts, series, models and results, as long as
// none writes to them. Safe for concurrent use too are infer.Engine and infer.Plan, constraint.Problem,
// learn.Compiled, structure.Scorer, dbn.Cases and viz.Figure. Functions with Workers use several processors, and
// their results do not depend on the number. Not safe for concurrent use are random sources, a bn.Sampler, a
// learn.Parametric, and a writer.
//
// # References
//
// Comments cite the papers by these keys.
//
//	N06  R. S. Niculescu, T. M. Mitchell, R. B. Rao. Bayesian network learning with
//	     parameter constraints. Journal of Machine Learning Research 7, 2006.
//	Y13  S. Yang, S. Natarajan. Knowledge intensive learning: combining qualitative
//	     constraints with causal independence for parameter learning in
//	     probabilistic models. ECML PKDD, 2013.
//	R95  S. Russell, J. Binder, D. Koller, K. Kanazawa. Local learning in
//	     probabilistic networks with hidden variables. IJCAI, 1995.
//	W00  F. Wittig, A. Jameson. Exploiting qualitative knowledge in the learning of
//	     conditional probabilities of Bayesian networks. UAI, 2000.
//	B06  J. Burge, T. Lane. Improving Bayesian network structure search with random
//	     variable aggregation hierarchies. ECML, 2006.
package bnkit
