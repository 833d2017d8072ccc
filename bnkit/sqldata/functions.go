package sqldata

import (
	"regexp"
	"slices"
	"strings"

	"bnlab/internal/say"
)

// known are the functions, types and words before a parenthesis that a Query may have: those that compute from their
// arguments, aggregate, or look at neighbouring rows, in one database or another, and in none do more; and those that
// read files as tables. None of them writes, reads files as they are, or asks about the server, the session or another
// database, and none of them answers differently when it is asked again, as random does. Those of the time do, but
// slowly. Names are in lower case, as ClickHouse's are too here.
var known = func() map[string]bool {
	set := make(map[string]bool)
	for _, list := range []string{
		// of numbers
		`abs acos acosh add asin asinh atan atan2 atanh bin bit_count bitand bitor bitwise_and bitwise_or bitwise_xor
		bitxor cbrt ceil ceiling cos cosh cot degrees div divide e even exp exp10 exp2 factorial floor fmod gamma gcd
		hex infinity intdiv intdivorzero intexp10 intexp2 is_finite is_infinite is_nan isfinite isinf isinfinite
		isnan lcm lgamma ln log log10 log1p log2 minus mod modulo multiply nan negate nextafter oct pi plus pow power
		radians round round_even roundbankers rounddown roundtoexp2 scale sigmoid sign signbit sin sinh sqrt tan tanh
		trunc truncate width_bucket xor`,
		// of texts
		`ascii bit_length btrim char char_length character_length chr concat concat_ws concatwithseparator contains
		damerau_levenshtein decode empty encode ends_with endswith extract extractall field find_in_set format
		formatreadablesize from_base64 from_hex greatest hamming initcap instr jaccard jaro_similarity
		jaro_winkler_similarity lcase least left left_pad length lengthutf8 leven levenshtein levenshtein_distance
		locate lower lowerutf8 lpad ltrim match md5 mid multisearchany normalize notempty octet_length ord overlay
		patindex pg_typeof position positioncaseinsensitive positionutf8 prefix printf quote quote_literal regexp
		regexp_count regexp_extract regexp_extract_all regexp_full_match regexp_instr regexp_like regexp_match
		regexp_matches regexp_replace regexp_split regexp_split_to_array regexp_split_to_table regexp_substr repeat
		replace replaceall replaceone replaceregexpall replaceregexpone reverse reverseutf8 right right_pad rpad
		rtrim sha1 sha224 sha256 sha384 sha512 soundex space split split_part splitbychar splitbyregexp splitbystring
		starts_with startswith str_split strcmp string_split string_split_regex string_to_array string_to_table
		strip_accents strlen strpos substr substring substring_index substringutf8 suffix to_ascii to_base64 to_hex
		to_utf8 translate translateutf8 trim trimboth trimleft trimright typeof ucase unhex unicode unistr upper
		upperutf8 url_extract_host url_extract_path word_stem`,
		// of missing values and choices
		`assumenotnull choose coalesce if ifnull iif isnotnull isnull multiif nullif nullifzero num_nonnulls
		num_nulls nvl nvl2 tonullable transform try zeroifnull`,
		// of types
		`accuratecast accuratecastornull array bigint binary bit blob boolean cast character convert date datetime
		datetime64 dec decimal decimal128 decimal32 decimal64 double enum enum16 enum8 fixedstring float float32
		float64 int int16 int32 int64 int8 integer list lowcardinality map nchar nullable numeric nvarchar real row
		safe_cast smallint string struct text time timestamp timestamptz tinyint to_char to_number tobool todate
		todateornull todatetime todatetime64 todatetimeornull todecimal128 todecimal32 todecimal64 tofixedstring
		tofloat32 tofloat32ornull tofloat64 tofloat64ornull tofloat64orzero toint16 toint32 toint32ornull
		toint32orzero toint64 toint64ornull toint64orzero toint8 tostring totypename touint16 touint32 touint64
		touint8 try_cast trycast tuple uint16 uint32 uint64 uint8 unsigned varbinary varchar varying`,
		// of times
		`add_months adddate adddays addhours addminutes addmonths addseconds addtime addweeks addyears age
		at_timezone century clock_timestamp convert_tz curdate current_date current_time current_timestamp curtime
		date_add date_bin date_diff date_format date_parse date_part date_sub date_trunc dateadd datediff datename
		datepart datesub datetrunc day day_of_month day_of_week day_of_year dayname dayofmonth dayofweek dayofyear
		decade epoch epoch_ms epoch_ns epoch_us era formatdatetime from_days from_iso8601_date from_iso8601_timestamp
		from_unixtime fromunixtimestamp generate_series getdate hour isodow isoyear julian julianday justify_days
		justify_hours justify_interval last_day last_day_of_month localtime localtimestamp make_date make_interval
		make_time make_timestamp makedate makedatetime maketime microsecond millisecond minute month monthname
		months_between now now64 parse_datetime parsedatetime parsedatetimebesteffort parsedatetimebesteffortornull
		period_add period_diff quarter range sec_to_time second sequence statement_timestamp str_to_date strftime
		strptime subdate subtime subtractdays subtracthours subtractminutes subtractmonths subtractseconds
		subtractweeks subtractyears time_bucket time_format time_to_sec timediff timestamp_add timestamp_diff
		timestampadd timestampdiff timezone to_date to_days to_hours to_milliseconds to_minutes to_months to_seconds
		to_timestamp to_unixtime to_weeks to_years today todayofmonth todayofweek todayofyear tohour toisoweek
		toisoyear tominute tomonday tomonth toquarter torelativedaynum tosecond toseconds tostartofday tostartofhour
		tostartofinterval tostartofminute tostartofmonth tostartofquarter tostartofweek tostartofyear tounixtimestamp
		toweek toyear toyyyymm toyyyymmdd transaction_timestamp try_strptime unix_timestamp unixepoch utc_date
		utc_time utc_timestamp week weekday weekofyear year year_of_week yearweek yesterday yow`,
		// of groups of rows
		`any_value anylast approx_count_distinct approx_distinct approx_most_frequent approx_percentile
		approx_quantile approx_top_k arbitrary arg_max arg_min argmax argmin array_agg avg avgif bit_and bit_or
		bit_xor bool_and bool_or checksum corr count count_if countif covar_pop covar_samp covarpop covarsamp entropy
		every favg first fsum geometric_mean group_concat grouparray grouping grouping_id groupuniqarray histogram
		json_agg json_arrayagg json_group_array json_group_object json_object_agg json_objectagg jsonb_agg
		jsonb_object_agg kurtosis kurtosis_pop kurtpop kurtsamp last listagg logical_and logical_or mad max max_by
		maxif mean median min min_by minif mode multimap_agg numeric_histogram percentile_cont percentile_disc
		product quantile quantile_cont quantile_disc quantileexact quantiles regr_avgx regr_avgy regr_count
		regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy sem set_agg skewness skewpop skewsamp std stddev
		stddev_pop stddev_samp stddevpop stddevsamp string_agg sum sumif sumkahan topk total uniq uniqcombined
		uniqexact var_pop var_samp variance varpop varsamp`,
		// of neighbouring rows
		`cume_dist dense_rank first_value lag last_value lead neighbor nth_value ntile percent_rank rank row_number
		runningaccumulate runningdifference`,
		// of lists and JSON
		`all_match any_match array_append array_cat array_contains array_distinct array_except array_extract
		array_intersect array_join array_length array_lower array_max array_min array_position array_prepend
		array_remove array_replace array_slice array_sort array_to_string array_union array_unique array_upper
		arrayconcat arraycount arraydistinct arrayelement arrayexists arrayfilter arrayfirst arrayjoin arraymap
		arraymax arraymin arrayreverse arrays_overlap arrayslice arraysort arraystringconcat arraysum cardinality
		element_at explode filter flatten has hasall hasany indexof is_json is_json_scalar json json_array
		json_array_elements json_array_elements_text json_array_get json_array_length json_build_array
		json_build_object json_contains json_contains_path json_each json_each_text json_exists json_extract
		json_extract_path json_extract_path_text json_extract_scalar json_extract_string json_format json_keys
		json_length json_object json_object_keys json_parse json_query json_search json_serialize json_size
		json_strip_nulls json_table json_to_record json_to_recordset json_transform json_tree json_type json_typeof
		json_unquote json_valid json_value jsonb jsonb_array_elements jsonb_array_elements_text jsonb_array_length
		jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text
		jsonb_object_keys jsonb_path_exists jsonb_path_query jsonb_path_query_array jsonb_path_query_first
		jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_typeof jsonextract jsonextractbool
		jsonextractfloat jsonextractint jsonextractkeysandvalues jsonextractraw jsonextractstring jsonextractuint
		jsonhas jsonlength len list_aggregate list_any_value list_avg list_concat list_contains list_count
		list_distinct list_element list_extract list_filter list_first list_has list_last list_max list_mean
		list_median list_min list_position list_reverse list_slice list_sort list_sum list_transform list_unique
		list_value list_zip map_agg map_entries map_extract map_filter map_from_entries map_keys map_values
		none_match reduce row_to_json slice struct_extract struct_pack to_json to_jsonb tupleelement unnest
		visitparamextractfloat visitparamextractint visitparamextractraw visitparamextractstring visitparamhas zip`,
		// of digests, by which rows are divided
		`cityhash64 crc32 farmhash64 halfmd5 hash hashtext murmur_hash3 murmurhash3_64 siphash64 xxhash32 xxhash64`,
		// that read files as tables, as far as the account may
		`delta_scan iceberg_scan parquet_scan read_csv read_csv_auto read_json read_json_auto read_ndjson
		read_ndjson_auto read_parquet`,
	} {
		for _, name := range strings.Fields(list) {
			set[name] = true
		}
	}
	return set
}()

// syntax are words that a parenthesis follows without being called.
var syntax = strings.Fields(`ALL AND ANY APPLY AS AUTO BERNOULLI BETWEEN BY CASE COLUMNS CROSS CUBE DISTINCT ELSE ESCAPE
	EXCEPT EXCLUDE EXISTS FETCH FILTER FINAL FIRST FROM GROUP HAVING ILIKE IN INTERSECT INTERVAL IS JOIN LATERAL LIKE
	LIMIT MATERIALIZED MINUS NAME NEXT NOT OFFSET ON OR ORDER OVER PARTITION PIVOT PREWHERE QUALIFY REGEXP RENAME
	REPEATABLE RESERVOIR RLIKE ROLLUP SAMPLE SELECT SETS SIMILAR SOME SYSTEM TABLESAMPLE THEN TO UNION UNPIVOT USING
	VALUES WHEN WHERE WINDOW XOR ZONE`)

// cte is what follows the name of a common table expression that lists its columns.
var cte = regexp.MustCompile(`(?i)^\(\s*(\w+|"[^"]*")(\s*,\s*(\w+|"[^"]*"))*\s*\)\s*AS\s*(NOT\s+)?(MATERIALIZED\s*)?\(`)

// call refuses a parenthesis that calls a function which is neither known nor among those that the user allows.
func (s *scanner) call() error {
	switch {
	case s.name == "" && !s.quoted:
		return nil
	case !s.quoted && slices.Contains(syntax, strings.ToUpper(s.name)):
		return nil
	case s.prior == "AS": // which names columns, or gives a type its length
		return nil
	case s.with[s.depth] && slices.Contains([]string{"WITH", "RECURSIVE", ","}, s.prior) &&
		cte.MatchString(s.text[s.at:]):
		return nil
	}
	name := strings.ToLower(s.name)
	if isASCII(s.name) && (known[name] || slices.ContainsFunc(s.allowed, func(f string) bool {
		return strings.EqualFold(f[strings.LastIndexByte(f, '.')+1:], name)
	})) {
		return nil
	}
	if s.prior == ")" {
		return say.Errorf("%s at %s may call a function; write AS before it if it is a name with its columns", s.name,
			s.place(s.at))
	}
	return say.Errorf("the function %s at %s is not among those known only to compute from the rows; make a view or a "+
		"table of what it gives, or name it in Options.Functions if all that it does is read", s.name, s.place(s.at))
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0
}
