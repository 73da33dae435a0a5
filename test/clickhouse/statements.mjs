/** The parameters of a URL that are no settings of a statement. */
const NO_SETTINGS = new Set([
  'cancel_http_readonly_queries_on_client_close',
  'compress',
  'database',
  'default_format',
  'enable_http_compression',
  'http_headers_progress_interval_ms',
  'password',
  'query',
  'query_id',
  'role',
  'send_progress_in_http_headers',
  'session_id',
  'user',
  'wait_end_of_query',
])

const FORMAT = /\sformat\s+(\w+)\s*;?\s*$/i
const VALUES = /\svalues\s*$/i

/** Splits a statement and the format at its end. */
export function withoutFormat(statement) {
  const format = FORMAT.exec(statement)?.[1]
  if (format) return { text: statement.replace(FORMAT, ''), format }
  return VALUES.test(statement)
    ? { text: statement.replace(VALUES, ''), format: 'Values' }
    : { text: statement }
}

/** Returns the statements that give a connection the database, settings and parameters of a URL. */
export function toSetup(searchParams, id) {
  const database = searchParams.get('database')
  const settings = [...searchParams].filter(([name]) => !NO_SETTINGS.has(name))
  // last, because a read-only connection refuses settings
  settings.sort(([a], [b]) => Number(a === 'readonly') - Number(b === 'readonly'))
  return [...(database ? [`use \`${database}\``] : []), toSet([['log_comment', id], ...settings])]
}

/** Writes settings as a statement. */
export const toSet = (settings) =>
  `set ${settings.map(([name, value]) => `${name} = ${quote(value)}`).join(', ')}`

export const quote = (value) => `'${String(value).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** Tells whether a statement expects its data after the text. */
export const isInsertOfData = (statement) =>
  /^\s*insert\b/i.test(statement) && withoutFormat(statement).format !== undefined

/** Reads the data of an INSERT from a file, because data in the text must be UTF-8 for the engine's binding. */
export function readingFile(statement, path) {
  const { text, format } = withoutFormat(statement)
  const file = quote(path)
  if (/\binput\s*\(/i.test(text))
    return text.replace(/\binput\s*\(/i, () => `file(${file}, ${quote(format)}, `)
  return `${text} from infile ${file} compression 'none' format ${format}`
}

/** Matches a KILL QUERY. */
export const KILL = /^\s*kill\s+query\b/i

/** The engine gives statements its own IDs; those of the requests are in this setting. */
const OWN_ID = "Settings['log_comment']"

/** Lets a statement find others by the query IDs of their requests. KILL QUERY ... SYNC never ends in the engine. */
export function withOwnIds(statement) {
  if (KILL.test(statement))
    return statement.replace(/\bquery_id\b/gi, OWN_ID).replace(/\bsync\b/i, 'async')
  return statement.replace(
    /\bsystem\s*\.\s*processes\b/gi,
    `(select * replace (${OWN_ID} as query_id) from system.processes)`,
  )
}
