// Package netica reads and writes Bayesian networks in DNET-1, the text format of Netica
// (.dne), and in DSC, that of Microsoft's MSBN and of bnlearn (.dsc), which Netica reads too.
//
//	// ~->[DNET-1]->~
//	bnet Winter {
//	node light {
//		kind = NATURE;
//		discrete = TRUE;
//		states = (on, off);
//		parents = (out);
//		probs = ((0.6, 0.4),    // out = yes
//		         (0.05, 0.95)); // out = no
//		title = "Light is on";
//		visual V1 { center = (73, 165); };
//		};
//	};
//
// In probs the state of the node varies fastest, the first parent slowest. A node with a
// functable is deterministic and becomes a table of 0 and 1; a continuous one with levels
// has their intervals as its states, and a value in its functable means the interval with it.
//
// DSC gives each row its configuration, by numbers of states counted from 0:
//
//	belief network "Winter"
//	node light { type : discrete [ 2 ] = { "on", "off" }; }
//	probability ( light | out ) {
//	  (0) : 0.6, 0.4;
//	  (1) : 0.05, 0.95;
//	}
//
// Deviation: names in DNET, of states too, are identifiers of at most 30 letters. Others
// are written as netdoc.Encode does, or cut with the whole name as the title, and read back.
// Both formats are written with parents above their children, so variables may change order.
//
// Rows that are impossible or undefined (@imposs, @undef) are uniform, which is said; in old files the last
// probability of each row may be left out.
//
// Not here: decisions, disconnected and dynamic links, tables that an equation alone gives, continuous
// variables without levels (all refused); utilities, constants, cases counted and what else does not belong to
// the network (left out, which is said); the binary .neta.
package netica
