// Package xmlbif reads and writes Bayesian networks in XMLBIF 0.3, the XML form of the
// interchange format of F. G. Cozman, as JavaBayes, Weka, SamIam, pgmpy and aGrUM write it.
//
//	<BIF VERSION="0.3"><NETWORK><NAME>dog</NAME>
//	<VARIABLE TYPE="nature">
//	  <NAME>light</NAME><OUTCOME>on</OUTCOME><OUTCOME>off</OUTCOME>
//	  <PROPERTY>position = (73, 165)</PROPERTY>
//	</VARIABLE>
//	...
//	<DEFINITION><FOR>light</FOR><GIVEN>out</GIVEN><TABLE>0.6 0.4 0.05 0.95</TABLE></DEFINITION>
//	</NETWORK></BIF>
//
// In a TABLE the state of the FOR variable varies fastest, then that of the last GIVEN; the
// first GIVEN varies slowest. Names are any text; space around them does not count. A
// PROPERTY holds free text, of which position, label and comment are read and written.
//
// Before version 0.3 tables ran the other way, the state of the FOR variable slowest, elements had other names
// (PROBABILITY, VALUE) and the type its own; such files are read as they were meant. So are the XML of
// UnBBayes, which it calls XMLBIF too, and that of Tetrad.
//
// Deviation: the few names that XML cannot hold as they are (control characters, space at
// an end) are written as netdoc.Encode does, and read back.
//
// Not here: decisions (refused), utilities (left out, which is said), continuous variables,
// which the format does not define.
package xmlbif
