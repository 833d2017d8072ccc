package datasets

import "github.com/go-gota/gota/dataframe"

// BreastCancer returns the Ljubljana breast cancer data, 286 rows: nine
// attributes in named classes and class (no-recurrence-events 201,
// recurrence-events 85). node_caps is missing in 8 rows, breast_quad in 1.
// Shipped: it needs neither a file nor the network.
func BreastCancer() (dataframe.DataFrame, error) { return Load("breast-cancer") }

// Diabetes returns the Pima diabetes data, 768 rows: eight measurements and
// class (tested_negative 500, tested_positive 268). Zeros in plas, pres,
// skin, insu and mass stand for missing values and are left as they are.
// Shipped.
func Diabetes() (dataframe.DataFrame, error) { return Load("diabetes") }

// Glass returns the glass identification data, 214 rows: the refractive
// index, eight oxides and type. Shipped.
func Glass() (dataframe.DataFrame, error) { return Load("glass") }

// Iris returns the iris data, 150 rows, 50 of each class. Shipped.
func Iris() (dataframe.DataFrame, error) { return Load("iris") }

// Thyroid returns the new-thyroid data, 215 rows: diagnosis (hypo 30, normal
// 150, hyper 35) and five laboratory tests. Shipped.
func Thyroid() (dataframe.DataFrame, error) { return Load("thyroid") }

// HeartDisease returns the Cleveland heart disease data, 303 rows; ca is
// missing in 4, thal in 2. Not shipped: see Load for where it comes from.
func HeartDisease() (dataframe.DataFrame, error) { return Load("heart-disease") }

// CreditApproval returns the credit approval data, 690 rows, 37 of them with
// missing cells; the attributes a1 to a15 are anonymous. Not shipped.
func CreditApproval() (dataframe.DataFrame, error) { return Load("credit-approval") }

// CarEvaluation returns the car evaluation data, all 1,728 combinations of
// six attributes. Not shipped.
func CarEvaluation() (dataframe.DataFrame, error) { return Load("car-evaluation") }

// CensusIncome returns the training file of the census income data, 32,561
// rows. Not shipped.
func CensusIncome() (dataframe.DataFrame, error) { return Load("census-income") }

// Ecoli returns the E. coli data, 336 rows; sequence_name names the row. Not
// shipped.
func Ecoli() (dataframe.DataFrame, error) { return Load("ecoli") }

// Hepatitis returns the hepatitis data, 155 rows, 75 of them with missing
// cells. All two-valued attributes but class keep the file's codes 1 and 2,
// whose meaning is not documented. Not shipped.
func Hepatitis() (dataframe.DataFrame, error) { return Load("hepatitis") }
