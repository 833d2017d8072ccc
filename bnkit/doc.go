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
// SampleGiven, Predict, LogScore and similar ones, CPT, Sample, Check, Save, and those of nb and viz. Verbs
// about a fit take a *Model; verbs that fit take a network. Rows and evidence have the values of the data: a
// model knows how columns map to states, from the Discretization in Settings and from the knowledge file
// of its network. State names are accepted too; an ambiguous value is an error.
//
// What may take long takes a context first. A done one ends it with the best so far, which says so: a fit, the
// graph of a search, the folds of a validation. In a notebook pass nb.Context(), which ends when the cell is
// interrupted; elsewhere context.Background() or a context of your own. Nothing here catches an interrupt.
//
// A frame that a verb returns is best shown by nb.Table, in a notebook and in a terminal: fmt.Println
// leaves out columns of a wide one.
//
// What an expert states has verbs of its own. Before a fit, Check says how each statement
// will be solved, or which ones contradict each other. After it, printing the model says how
// its tables were found and what is proven about them; Audit weighs each statement against
// the data, Multipliers returns its shadow price, and Intervals how sure the
// model is of each entry of a table; [Coefficients] does so for regressions. Where nobody
// knows, GroupAll asks the cases what is alike.
//
// Posterior, Joint, MostProbable and SampleGiven ask a network about what is not known, under all that
// [infer.Evidence] can say: states, sets of them, likelihoods, distributions, numbers, intervals.
//
// WhatMatters says which question to ask next, Impacts what each finding did and whether they fit
// together. PosteriorInterval puts error bars on an answer, and Effect says what setting a variable does: what is
// done beside what is seen, and whether the cases can tell.
//
// Variables that no column shows, and cells that are missing, are for methods that iterate,
// [learn.EM] and [learn.APN] before all: name the states of hidden variables in NetworkOptions,
// and Fit as ever. FitSeries does it for dynamic networks and series.
// FilterSeries, SmoothSeries, PredictSeries and PathSeries ask about the past, all times and the future of
// series; SaveSeries and LoadSeries keep what was fitted.
//
// Search learns the graph too, and ArcStrengths says how sure its arcs are; SearchSeries does it
// for series. FitSource takes cases that stay in a database. ReadNetwork and WriteNetwork
// exchange networks with other tools, ReadARFF reads Weka's files, and Frame makes a frame of
// what parquet.Read reads.
//
// The packages: bn (networks), data (tables of cases), constraint (what an expert
// can state), infer (posteriors), learn (estimation), structure (graphs from data), dbn (dynamic
// networks), knowledge (statements in files), validate and metric (scores), sqldata (databases),
// format (exchange files), hpm (brain images), viz (pictures), nb (showing things in a notebook).
//
// # Goroutines
//
// What is read may be shared: networks, tables of cases, counts, series, models and results, as long as none
// of them is written meanwhile. So may what is made once and asked often, even while it works: infer.Engine
// and infer.Plan, constraint.Problem, learn.Compiled, structure.Scorer, dbn.Cases, viz.Figure. Functions that
// have Workers use several processors by themselves, and their results do not depend on how many. For one
// goroutine at a time are a source of random numbers, a bn.Sampler, a learn.Parametric, and a writer.
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
