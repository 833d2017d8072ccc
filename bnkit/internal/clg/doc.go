// Package clg sums hidden continuous variables out of linear-Gaussian families, exactly: it finds the
// log-density of what is observed and the means and covariances of what is not, in one configuration
// of the discrete variables. Package infer does so for each configuration of the discrete parents of
// connected hidden variables before it sums out anything discrete, which is the strong elimination order
// of conditional-Gaussian networks (Lauritzen 1992).
//
// A hidden variable is eliminated by exchanging its arcs with its children (Shachter and Kenley 1989;
// the PUSH operation of Lauritzen and Jensen 2001). For
//
//	X | Z ~ N(a + u'Z, v),   Y | X, Z ~ N(c + bX + w'Z, r)
//
// the exchange gives
//
//	Y | Z ~ N(c + ba + (w + bu)'Z, s),                 s = r + b²v,
//	X | Y, Z ~ N(a + u'Z + k(Y − E[Y | Z]), v·r/s),    k = b·v/s.
//
// No matrix is inverted and no two variances are subtracted, so variances of zero need no care: where s is
// zero, Y is a function of Z and says nothing of X.
//
// A [Plan] is the order of these steps, which depends on the structure and on which variables are observed
// only. A [Space] carries them out for many cases at once: they share all but the constants.
package clg
