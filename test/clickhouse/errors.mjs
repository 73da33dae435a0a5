/** The HTTP status of errors that are not 500, as in ClickHouse's exceptionCodeToHTTPStatus. */
const STATUS = [
  [403, /^(UNKNOWN_USER|WRONG_PASSWORD|AUTHENTICATION_FAILED|SET_NON_GRANTED_ROLE|ACCESS_DENIED)$/],
  [
    400,
    /^(BAD_ARGUMENTS|CANNOT_COMPILE_REGEXP|CANNOT_PARSE_\w+|DUPLICATE_COLUMN|ILLEGAL_COLUMN|UNKNOWN_ELEMENT_IN_AST|UNKNOWN_TYPE_OF_AST_NODE|THERE_IS_NO_COLUMN|TOO_DEEP_AST|TOO_BIG_AST|UNEXPECTED_AST_STRUCTURE|SYNTAX_ERROR|INCORRECT_DATA|TYPE_MISMATCH|VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE)$/,
  ],
  [
    404,
    /^UNKNOWN_(TABLE|FUNCTION|IDENTIFIER|TYPE|STORAGE|DATABASE|SETTING|DIRECTION_OF_SORTING|AGGREGATE_FUNCTION|FORMAT|DATABASE_ENGINE|TYPE_OF_QUERY|ROLE)$/,
  ],
  [408, /^TIMEOUT_EXCEEDED$/],
  [413, /^QUERY_IS_TOO_LARGE$/],
  [501, /^NOT_IMPLEMENTED$/],
  [503, /^(SOCKET_TIMEOUT|CANNOT_OPEN_FILE|CANNOT_SCHEDULE_TASK)$/],
]

/** Responds with the engine's error as ClickHouse does. */
export function refuse(response, { message }) {
  const text = message.replace(/^Query failed: /, '')
  const code = /Code: (\d+)/.exec(text)?.[1] ?? '0'
  const type = /\(([A-Z][A-Z0-9_]{2,})\)[^()]*$/.exec(text)?.[1] ?? ''
  const status = STATUS.find(([, types]) => types.test(type))?.[0] ?? 500
  response.writeHead(status, { 'X-ClickHouse-Exception-Code': code })
  response.end(`${text.trimEnd()}\n`)
}
