/**
 * The settings that make ClickHouse compute what PostgreSQL and DuckDB compute. They go with every statement, because a
 * server without one of them would return other numbers without an error.
 */
export const SEMANTICS = {
  /** A row without a match has NULL, not 0 or an empty text. */
  join_use_nulls: 1,
  /** NULL stays NULL when it is cast. */
  cast_keep_nullable: 1,
  /** In WHERE, a name is a column before it is an alias of the SELECT. */
  prefer_column_name_to_alias: 1,
  /** The last version of a person or group counts. */
  final: 1,
  /** A branch of a CASE that is not taken is not computed. */
  short_circuit_function_evaluation: 'force_enable',
  /** A text such as 1e300 is the nearest number, not one that was faster to find. */
  precise_float_parsing: 1,
  /** `greatest` and `least` skip NULL. */
  least_greatest_legacy_null_behavior: 0,
  /** NULL is in no list. */
  transform_null_in: 0,
  session_timezone: 'UTC',
} as const

const OUTPUT = {
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_denormals: 0,
} as const

const PLANNING = {
  /** A CTE that is used twice is computed once. */
  enable_materialized_cte: 1,
  /** The compiler limits statements, and those within its limits are larger than ClickHouse's defaults. */
  max_query_size: String(16 * 1024 * 1024),
  max_parser_backtracks: '0',
  max_parser_depth: '10000',
  max_ast_depth: '10000',
  max_ast_elements: '1000000',
  max_expanded_ast_elements: '10000000',
} as const

/** The settings of every statement that reads. */
export const READING = { ...SEMANTICS, ...OUTPUT, ...PLANNING } as const
