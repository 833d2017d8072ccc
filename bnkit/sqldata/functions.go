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
		`abs acos acosd acosh add asin asind asinh atan atan2 atan2d atand atanh beta_cdf bin bit_count bitand bitor
		bitwise_and bitwise_not bitwise_or bitwise_xor bitxor cbrt ceil ceiling cos cosd cosh cot cotd degrees div
		divide e equals equi_width_bins even exp exp10 exp2 factorial fdiv floor fmod from_base from_binary gamma gcd
		get_bit greater greaterorequals greatest_common_divisor hex infinity intdiv intdivorzero intexp10 intexp2
		inverse_normal_cdf is_finite is_infinite is_nan isfinite isinf isinfinite isnan lcm least_common_multiple
		less lessorequals lgamma likely ln log log10 log1p log2 min_scale minus mod modulo multiply nan negate
		nextafter normal_cdf notequals oct pi plus pow power radians round round_even roundbankers rounddown
		roundtoexp2 scale set_bit sigmoid sign signbit sin sind sinh sqrt subtract tan tand tanh to_base to_binary
		trim_scale trunc truncate unbin unlikely width_bucket wilson_interval_lower wilson_interval_upper xor`,
		// of texts
		`ascii bit_length btrim char char_length character_length chr concat concat_ws concatwithseparator contains
		damerau_levenshtein decode editdist3 elt empty encode ends_with endswith enum_code enum_first enum_last
		enum_range extract extractall field find_in_set format formatreadablesize from_base64 from_hex from_utf8
		greatest hamming hamming_distance inet_aton inet_ntoa initcap instr jaccard jaro_similarity
		jaro_winkler_similarity lcase least left left_grapheme left_pad leftpad length length_grapheme lengthutf8
		leven levenshtein levenshtein_distance like_escape locate lower lowerutf8 lpad ltrim make_set match md5 mid
		mismatches multisearchany nfc_normalize normalize notempty notlike octet_length ord overlay parse_dirname
		parse_filename parse_path patindex pg_typeof plainto_tsquery position positioncaseinsensitive positionutf8
		prefix printf quote quote_ident quote_literal quote_nullable regexp regexp_count regexp_escape regexp_extract
		regexp_extract_all regexp_full_match regexp_instr regexp_like regexp_match regexp_matches regexp_position
		regexp_replace regexp_split regexp_split_to_array regexp_split_to_table regexp_substr repeat replace
		replaceall replaceone replaceregexpall replaceregexpone reverse reverseutf8 right right_grapheme right_pad
		rightpad rpad rtrim sha sha1 sha2 sha224 sha256 sha384 sha512 soundex space split split_part split_to_map
		splitbychar splitbyregexp splitbystring splitbywhitespace starts_with startswith str_split str_split_regex
		strcmp string_split string_split_regex string_to_array string_to_table strip_accents strlen strpos substr
		substring substring_grapheme substring_index substringutf8 suffix to_ascii to_base64 to_hex to_tsquery
		to_tsvector to_utf8 translate translateutf8 trim trimboth trimleft trimright ts_rank typeof ucase unhex
		unicode unistr upper upperutf8 url_decode url_encode url_extract_host url_extract_parameter url_extract_path
		url_extract_port url_extract_protocol url_extract_query word_stem`,
		// of missing values and choices
		`assumenotnull choose coalesce if ifnull iif isnotnull isnull multiif nullif nullifzero num_nonnulls
		num_nulls nvl nvl2 tonullable transform try zeroifnull`,
		// of types
		`accuratecast accuratecastornull array bigint binary bit blob bool boolean bpchar cast character convert date
		daterange datetime datetime64 dec decimal decimal128 decimal32 decimal64 double enum enum16 enum8 fixedstring
		float float32 float4 float64 float8 int int16 int2 int32 int4 int4range int64 int8 int8range integer isempty
		list lowcardinality lower_inc map nchar nullable numeric numrange nvarchar real row safe_cast smallint string
		struct text time timestamp timestamptz tinyint to_char to_number tobool todate todateornull todatetime
		todatetime64 todatetimeornull todecimal128 todecimal32 todecimal64 tofixedstring tofloat32 tofloat32ornull
		tofloat64 tofloat64ornull tofloat64orzero toint16 toint32 toint32ornull toint32orzero toint64 toint64ornull
		toint64orzero toint8 tostring totypename touint16 touint32 touint64 touint8 try_cast trycast tsrange
		tstzrange tuple uint16 uint32 uint64 uint8 unsigned upper_inc varbinary varchar varying`,
		// of times
		`add_months adddate adddays addhours addminutes addmonths addseconds addtime addweeks addyears age
		at_timezone century clock_timestamp convert_tz curdate current_date current_time current_timestamp curtime
		date_add date_bin date_diff date_format date_parse date_part date_sub date_trunc dateadd datediff datename
		datepart datesub datetrunc day day_of_month day_of_week day_of_year dayname dayofmonth dayofweek dayofyear
		days_in_month decade epoch epoch_ms epoch_ns epoch_us era formatdatetime from_days from_iso8601_date
		from_iso8601_timestamp from_unixtime fromunixtimestamp generate_series getdate hour isodow isoyear julian
		julianday justify_days justify_hours justify_interval last_day last_day_of_month localtime localtimestamp
		make_date make_interval make_time make_timestamp make_timestamp_ms make_timestamptz makedate makedatetime
		maketime microsecond millennium millisecond minute month monthname months_between now now64 overlaps
		parse_datetime parsedatetime parsedatetimebesteffort parsedatetimebesteffortornull period_add period_diff
		quarter range sec_to_time second sequence statement_timestamp str_to_date strftime strptime subdate subtime
		subtractdays subtracthours subtractminutes subtractmonths subtractseconds subtractweeks subtractyears
		time_bucket time_format time_to_sec timediff timestamp_add timestamp_diff timestampadd timestampdiff timezone
		timezone_hour timezone_minute to_centuries to_date to_days to_decades to_hours to_iso8601 to_microseconds
		to_millennia to_milliseconds to_minutes to_months to_quarters to_seconds to_timestamp to_unixtime to_weeks
		to_years today todayofmonth todayofweek todayofyear tohour toisoweek toisoyear tominute tomonday tomonth
		toquarter torelativedaynum tosecond toseconds tostartofday tostartoffiveminute tostartoffiveminutes
		tostartofhour tostartofinterval tostartofminute tostartofmonth tostartofquarter tostartofweek tostartofyear
		totimezone tounixtimestamp toweek toyear toyyyymm toyyyymmdd transaction_timestamp try_strptime
		unix_timestamp unixepoch utc_date utc_time utc_timestamp week weekday weekofyear with_timezone year
		year_of_week yearweek yesterday yow`,
		// of groups of rows
		`any_value anyif anylast approx_count_distinct approx_distinct approx_most_frequent approx_percentile
		approx_quantile approx_top_k arbitrary arg_max arg_min argmax argmaxif argmin argminif array_agg avg avgif
		avgweighted bit_and bit_or bit_xor bool_and bool_or checksum corr corrstable count count_if countif covar_pop
		covar_samp covarpop covarsamp entropy every favg first fsum geomean geometric_mean group_concat grouparray
		grouparrayif groupbitand groupbitor groupbitxor grouping grouping_id groupuniqarray histogram histogram_exact
		json_agg json_arrayagg json_group_array json_group_object json_object_agg json_objectagg jsonb_agg
		jsonb_object_agg kahan_sum kurtosis kurtosis_pop kurtpop kurtsamp last listagg logical_and logical_or mad max
		max_by maxif mean median medianexact min min_by minif mode multimap_agg numeric_histogram percentile_cont
		percentile_disc product quantile quantile_cont quantile_disc quantileexact quantileexactweighted quantiles
		quantiletdigest quantiletiming rank_dense regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope
		regr_sxx regr_sxy regr_syy sem set_agg simplelinearregression skewness skewpop skewsamp std stddev stddev_pop
		stddev_samp stddevpop stddevsamp string_agg sum sum_no_overflow sumif sumkahan summap topk topkweighted total
		uniq uniqcombined uniqexact uniqif var_pop var_samp variance varpop varsamp wavg weighted_avg xmlagg`,
		// of neighbouring rows
		`cume_dist dense_rank first_value lag laginframe last_value lead leadinframe neighbor nth_value ntile
		percent_rank rank row_number runningaccumulate runningdifference`,
		// of lists and JSON
		`all_match any_match array_aggr array_aggregate array_append array_apply array_cat array_concat
		array_contains array_cosine_distance array_cosine_similarity array_cross_product array_dims array_distance
		array_distinct array_dot_product array_except array_extract array_fill array_filter array_has array_has_all
		array_has_any array_indexof array_inner_product array_intersect array_join array_length array_lower array_max
		array_min array_ndims array_pop_back array_pop_front array_position array_positions array_prepend
		array_push_back array_push_front array_reduce array_remove array_replace array_resize array_reverse
		array_reverse_sort array_select array_slice array_sort array_to_json array_to_string array_transform
		array_union array_unique array_upper array_value array_where array_zip arrayavg arrayconcat arraycount
		arraycumsum arraydistinct arrayelement arrayenumerate arrayexists arrayfilter arrayfirst arrayjoin arraymap
		arraymax arraymin arraypushback arraypushfront arrayreverse arrays_overlap arrayslice arraysort
		arraystringconcat arraysum arrayuniq cardinality combinations cosine_similarity element_at explode filter
		flatten generate_subscripts has hasall hasany indexof is_json is_json_scalar json json_array
		json_array_contains json_array_elements json_array_elements_text json_array_get json_array_length
		json_build_array json_build_object json_contains json_contains_path json_depth json_each json_each_text
		json_exists json_extract json_extract_path json_extract_path_text json_extract_scalar json_extract_string
		json_format json_insert json_keys json_length json_merge_patch json_object json_object_keys json_overlaps
		json_parse json_patch json_pretty json_query json_quote json_remove json_replace json_search json_serialize
		json_set json_size json_strip_nulls json_structure json_table json_to_record json_to_recordset json_transform
		json_tree json_type json_typeof json_unquote json_valid json_value jsonb jsonb_array_elements
		jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text
		jsonb_extract_path jsonb_extract_path_text jsonb_object jsonb_object_keys jsonb_path_exists jsonb_path_match
		jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set jsonb_strip_nulls
		jsonb_to_record jsonb_to_recordset jsonb_typeof jsonextract jsonextractarrayraw jsonextractbool
		jsonextractfloat jsonextractint jsonextractkeys jsonextractkeysandvalues jsonextractraw jsonextractstring
		jsonextractuint jsonhas jsonlength jsontype len list_aggr list_aggregate list_any_value list_append
		list_apply list_approx_count_distinct list_avg list_bit_and list_bit_or list_bit_xor list_bool_and
		list_bool_or list_cat list_concat list_contains list_cosine_distance list_cosine_similarity list_count
		list_distance list_distinct list_dot_product list_element list_entropy list_extract list_filter list_first
		list_has list_has_all list_has_any list_histogram list_indexof list_inner_product list_intersect
		list_kurtosis list_last list_mad list_max list_mean list_median list_min list_mode list_pack list_position
		list_prepend list_product list_reduce list_resize list_reverse list_reverse_sort list_select list_sem
		list_skewness list_slice list_sort list_stddev_pop list_stddev_samp list_string_agg list_sum list_transform
		list_unique list_value list_var_pop list_var_samp list_where list_zip map_agg map_concat map_contains
		map_contains_value map_entries map_extract map_filter map_from_entries map_keys map_values map_zip_with
		ngrams none_match reduce row_to_json slice struct_concat struct_extract struct_insert struct_pack
		struct_values to_json to_jsonb transform_keys transform_values trim_array tupleelement unnest
		visitparamextractfloat visitparamextractint visitparamextractraw visitparamextractstring visitparamhas xpath
		zip zip_with`,
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
