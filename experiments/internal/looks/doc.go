// Package looks draws curves and dots of learners, each of which has the same colour, dashes and marker in every
// figure of the project.
//
// The colours are those of Okabe and Ito, which colour-blind readers can distinguish; dashes and markers tell learners
// apart in grey. A learner without knowledge is dark grey with short dashes, the one that has it all is blue and solid,
// and one that is told something false is dotted, in the colour of the one that is told the same truly. What stands for
// the same knowledge in two experiments looks the same in both.
//
// There are more learners than looks, so two that never meet in a figure may share one; within a figure that is an
// error.
package looks
