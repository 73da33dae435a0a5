/**
 * Serves ClickHouse's HTTP interface with its engine in this process: `node server.mjs [folder] [port]`. The engine is
 * chdb where it loads, otherwise chdb-wasm. Prints its port and its engine, and ends with its stdin.
 *
 * chdb keeps its data in the folder, or in a temporary one, and runs statements in parallel. chdb-wasm keeps it in
 * memory and runs one statement at a time. Both accept every user, buffer a result before they send it, and have no
 * clusters.
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { refuse } from './errors.mjs'
import { openNative } from './native.mjs'
import { isInsertOfData, toSetup, withoutFormat } from './statements.mjs'
import { openWasm } from './wasm.mjs'

const [folder = '', port = '0'] = process.argv.slice(2)
const engine = (await openNative(folder)) ?? (await openWasm(folder))

/** The running statements by their query ID. */
const running = new Map()

const server = createServer((request, response) => {
  respond(request, response).catch((error) => refuse(response, error))
})

async function respond(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  if (pathname === '/ping') return response.end('Ok.\n')
  const id = searchParams.get('query_id') || randomUUID()
  const given = searchParams.get('query')
  const body = await readBody(request)
  const statement = given ?? String(body)
  const format =
    withoutFormat(statement).format ?? searchParams.get('default_format') ?? 'TabSeparated'
  killWithClient(response, id, searchParams)

  const done = engine.run({
    id,
    statement,
    data: given !== null && isInsertOfData(statement) ? body : undefined,
    setup: toSetup(searchParams, id),
    format,
  })
  running.set(id, done)
  const { data, rows } = await done.finally(() => running.delete(id))
  await endOfKilled(statement)

  const zipped =
    searchParams.get('enable_http_compression') === '1' &&
    /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  response.writeHead(200, {
    'X-ClickHouse-Format': format,
    'X-ClickHouse-Query-Id': id,
    'X-ClickHouse-Summary': JSON.stringify(toSummary(statement, rows)),
    ...(zipped && { 'Content-Encoding': 'gzip' }),
  })
  response.end(zipped ? gzipSync(data) : data)
}

async function readBody(request) {
  const body = await buffer(request)
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
}

/** Kills a statement whose client went away, if it asked for that. */
function killWithClient(response, id, searchParams) {
  if (searchParams.get('cancel_http_readonly_queries_on_client_close') !== '1') return
  response.on('close', () => {
    if (running.has(id)) engine.cancel(id).catch(() => {})
  })
}

/** Waits for statements that a KILL QUERY names, because the engine's own SYNC never ends. */
async function endOfKilled(statement) {
  if (!/^\s*kill\s+query\b[\s\S]*\bsync\b/i.test(statement)) return
  const killed = [...running].filter(([id]) => statement.includes(`'${id}'`))
  await Promise.allSettled(killed.map(([, done]) => done))
}

function toSummary(statement, rows) {
  const isInsert = /^\s*insert\b/i.test(statement)
  return isInsert ? { written_rows: String(rows) } : { result_rows: String(rows) }
}

// on a busy machine a request, or the wait for the next one, can take longer than Node allows by default
server.requestTimeout = 0
server.keepAliveTimeout = 600_000

server.listen(Number(port), '127.0.0.1', () =>
  console.log(`${server.address().port} ${engine.name}`),
)
process.stdin.on('end', () => process.exit()).resume()
