// Package graphs is the experiment on what knowledge is worth in finding the graph of a network: tiers, signs of
// influences, rows of a table that are shared, noisy-ORs, all of these together, and a hierarchy of the variables, true
// and partly false, against a climb without any, PC-stable and MMHC. Then missing cells and a hidden cause (structural
// EM), without knowledge and under it, how often arcs are there that are said to be probable, and cases in which
// variables were set.
//
// No paper has it; N06 §7 asks what parameter statements are worth inside a structure search. Networks are alarm,
// insurance and child of the Bayesian Network Repository, and simulated ones: 16 variables of two or three ordered
// states in four groups, arcs within groups and between linked ones, tables in which each parent's influence has one
// sign; in “simulated causes” tables are noisy-ORs or share rows by construction. Shared rows of a published network
// are those that are equal as printed, its noisy-ORs the tables that are products. Learners see the same cases and are
// compared in pairs. Predictions were set before the code; see docs/predictions.md.
package graphs
