// Prose checks the numbers in the text of the notebooks, and of README, against the tables in figures/.
//
// A marker follows the number that it explains and is a comment, so that Jupyter and GitHub show the number alone:
//
//	ahead by 0.07<!--= n06-a[examples=30,model=x].kl - n06-a[examples=30,model=y].kl --> nats
//	in nine<!--= count(y13-b[learner=monotone].auc > y13-b[learner=none].auc) --> domains
//	and never behind<!--check: n06-a[model=x].kl <= n06-a[model=y].kl -->.
//
// file[column=value,…].column are the cells of the rows that fulfil the conditions (=, !=, <, <=, >, >=; quotes around
// a value with a comma or a bracket), in their order. The file is figures/<id>/file.csv, where <id> is that of the
// notebook NN-<id>.ipynb; another folder is named, as in apn/claims, and always in README. Cells are joined by + - * /
// (* with spaces) and compared cell by cell, to 1 or 0; one number goes with many. mean, min, max, sum, count (of what
// is not 0), abs, log and exp are functions. shown("text", 2) is the second number behind a text that the notebook's
// own cells have printed once; cells of a table that they show are separated by " | ". The number is compared as it is
// shown, with its decimals, its comma, or in a word up to twelve. A check holds if all comparisons do; commas join
// several.
//
//	go run ./notebooks/internal/prose           # says which numbers and sentences differ, and fails
//	go run ./notebooks/internal/prose -update   # writes the numbers anew; sentences are yours to mend
package main
