// Package bids reads the two small files that stand beside an image of the brain in the
// Brain Imaging Data Structure: events.tsv, which says what happened when, and the JSON
// side-car, which says how often an image was taken.
//
//	events, err := bids.ReadEvents("sub-01_task-faces_events.tsv", "")
//	sidecar, err := bids.ReadSidecar("sub-01_task-faces_bold.json")
//
// Times are in seconds, as the standard demands. An error is a [FileError] with line and column.
//
// Not here: finding files in a data set's folders, side-cars inherited from a
// folder above, slice timing.
//
// Source: K. J. Gorgolewski and others (2016), The brain imaging data structure. Scientific
// Data 3, 160044; BIDS specification, "Task events" and "Magnetic resonance imaging".
package bids
