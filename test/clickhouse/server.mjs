/**
 * Serves ClickHouse's HTTP interface with its engine as WebAssembly: `node server.mjs`. Prints its port, runs one
 * statement at a time, keeps data in memory, and ends with its stdin.
 */
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { AsyncChdb } from 'chdb-wasm'

/** The engine has few threads and waits forever when it finds none. */
const ONE_THREAD = {
  max_threads: 1,
  max_insert_threads: 1,
  max_final_threads: 1,
  max_parsing_threads: 1,
  input_format_parallel_parsing: 0,
  output_format_parallel_formatting: 0,
}

/** The parameters of a URL that are no settings, or that this engine does not have. */
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
  'readonly',
  'role',
  'send_progress_in_http_headers',
  'session_id',
  'user',
  'wait_end_of_query',
])

const FORMAT = /\sformat\s+(\w+)\s*;?\s*$/i

const db = await AsyncChdb.create({
  moduleUrl: import.meta.resolve('chdb-wasm').replace(/index\.js$/, 'chdb.mjs'),
})
const connection = await db.connect()
await connection.query(toSet(Object.entries(ONE_THREAD)))

let last = Promise.resolve()

const server = createServer((request, response) => {
  last = last.then(() => respond(request, response)).catch((error) => refuse(response, error))
})

async function respond(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  if (pathname === '/ping') return response.end('Ok.\n')
  const body = await buffer(request)
  const text = [
    searchParams.get('query'),
    request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body,
  ]
    .filter(Boolean)
    .join('\n')
  const settings = [...searchParams].filter(([name]) => !NO_SETTINGS.has(name))
  const database = searchParams.get('database')
  if (database) await connection.query(`use \`${database}\``)
  if (settings.length > 0) await connection.query(toSet(settings))
  const isInsert = /^\s*insert\s/i.test(text)
  const format =
    (!isInsert && FORMAT.exec(text)?.[1]) || searchParams.get('default_format') || 'TabSeparated'
  const { data } = await connection.query(isInsert ? text : text.replace(FORMAT, ''), format)
  response.setHeader('X-ClickHouse-Format', format)
  response.setHeader('X-ClickHouse-Query-Id', searchParams.get('query_id') ?? '')
  response.end(data)
}

/** Writes settings as a statement. They stay until they are set again, which every statement of the product does. */
function toSet(settings) {
  const quote = (value) => `'${String(value).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  return `set ${settings.map(([name, value]) => `${name} = ${quote(value)}`).join(', ')}`
}

function refuse(response, { message }) {
  const code = /Code: (\d+)/.exec(message)?.[1] ?? '0'
  response.writeHead(code === '159' ? 408 : 400, { 'X-ClickHouse-Exception-Code': code })
  response.end(message)
}

server.listen(0, '127.0.0.1', () => console.log(server.address().port))
process.stdin.on('end', () => process.exit()).resume()
