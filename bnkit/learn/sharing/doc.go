// Package sharing finds in data which parameters of a network are equal: states of one
// distribution ([GroupStates]), distributions of one table ([GroupRows]), both in all tables
// ([GroupAll]). The results are statements of package constraint, for another fit. N06
// mentions learning parameter sharing from data in §3.2, and does it by cross-validation in §5.2;
// the default here is the Bayes factor.
package sharing
