// Package datasets finds the data that bnlab's examples and experiments use,
// checks that they are the right bytes, and hands them over as frames.
//
//	df, err := datasets.BreastCancer()          // 286 rows, 10 columns
//	order, err := datasets.States("breast-cancer") // "10-19" < "20-29" < …
//
// Five small sets are compiled into the program; the others are found by
// name. A Set is one entry of the register: what it is, who to cite, under
// which licence, and its Files with their SHA-256. List shows the register as
// a frame, Load reads a table, Open and Path give any file.
//
// # Where a file comes from
//
// In this order, and the first that has it wins:
//
//  1. the program itself (the five shipped sets);
//  2. the folder named by BNLAB_DATA, which holds the files under the paths
//     that the register gives them (uci/ecoli/ecoli.data, …);
//  3. the user's cache, bnlab/ below os.UserCacheDir();
//  4. the public address, into that cache.
//
// A file is used only if its SHA-256 is the register's. A wrong file below
// BNLAB_DATA is an error, since somebody put it there; a wrong file in the
// cache is fetched again. One file of the register has no known checksum and
// comes by plain http (StarPlus at voxel level): it is fetched only for those
// who name it in BNLAB_UNCHECKED, who are shown the SHA-256 of what came, and
// later uses are compared with that. BNLAB_OFFLINE=1 leaves out the network.
// Downloads have the mode that the umask leaves. A file that cannot be had gives an *UnavailableError, whose
// text says what to fetch from where, and where to put it.
//
// # Missing cells
//
// An empty cell of a CSV file, and "?" in a raw UCI file, is missing. In a
// frame a missing cell is gota's NaN: IsNA is true in the series as loaded,
// String gives "NaN", Float gives NaN. Trap: gota v0.12.0 forgets the mark of
// a String cell whenever it converts a cell (series.New of a series, Rapply,
// joins), and the cell then reads as the text "NaN". Treat that text as
// missing too; no set here has a state of that name.
//
// # What is not here
//
// Discretisation, the choice of rows and the encoding for a model belong to
// bnkit/data and to the experiments. Zeros that stand for missing values
// (diabetes) stay as the source has them.
package datasets
