import { KILL, readingFile, toSet } from './statements.mjs'

/** The engine has few threads and waits forever when it finds none. */
const ONE_THREAD = toSet(
  Object.entries({
    max_threads: 1,
    max_insert_threads: 1,
    max_final_threads: 1,
    max_parsing_threads: 1,
    input_format_parallel_parsing: 0,
    output_format_parallel_formatting: 0,
  }),
)

const DATA = '/insert'

/** Matches a DROP that waits for a thread, which the engine does not have. Dropped data is invisible at once anyway. */
const DROP_SYNC = /^(\s*drop\s[\s\S]*)\ssync\s*$/i

/** Its file system has no hard links, which mutations of a MergeTree create. */
const COPY_FILES = 'modify setting always_use_copy_instead_of_hardlinks = 1'
const CREATE =
  /^\s*create\s+table\s+(?:if\s+not\s+exists\s+)?([\w.`"]+)[\s\S]*\bengine\s*=\s*\w*MergeTree\b/i

/** A table that shares the files of another; without links, it gets the rows. */
const CLONE = /^\s*create\s+table\s+([\w.`"]+)\s+clone\s+as\s+([\w.`"]+)\s*$/i

/** Defines the lower case of every alphabet, because the engine was built without the library that knows it. */
function defineLower() {
  const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
  const pairs = characters
    .map((upper) => [upper, upper.toLowerCase()])
    .filter(([upper, lower]) => lower !== upper && lower.length === 1)
  const [from, to] = [0, 1].map((side) => pairs.map((pair) => pair[side]).join(''))
  return `create function lowerUTF8 as (text) -> translateUTF8(text, '${from}', '${to}')`
}

/** Opens chdb-wasm, which runs one statement at a time. */
export async function openWasm(folder) {
  if (folder)
    throw new Error('chdb-wasm keeps its data in memory. Leave out the folder, or install chdb.')
  const { AsyncChdb } = await import('chdb-wasm')
  const db = await AsyncChdb.create({
    moduleUrl: import.meta.resolve('chdb-wasm').replace(/index\.js$/, 'chdb.mjs'),
  })
  const connection = await db.connect() // the data ends with the last connection
  await connection.query(defineLower())
  let last = Promise.resolve()
  let current // the ID of the running statement

  /** Runs a statement on a connection of its own, whose settings it cannot leave behind. */
  async function runNow({ statement, data, setup, format }) {
    const connection = await db.connect()
    try {
      for (const each of [ONE_THREAD, ...setup]) await connection.query(each)
      const [, clone, source] = CLONE.exec(statement) ?? []
      if (clone) {
        await connection.query(`create table ${clone} as ${source}`)
        return await query(connection, `insert into ${clone} select * from ${source}`, format)
      }
      if (!data) {
        const result = await query(connection, statement.replace(DROP_SYNC, '$1'), format)
        const created = CREATE.exec(statement)?.[1]
        if (created) await connection.query(`alter table ${created} ${COPY_FILES}`)
        return result
      }
      await db.putFile(DATA, new Uint8Array(data)) // which leaves this thread
      return await query(connection, readingFile(statement, DATA), format)
    } finally {
      await connection.close()
    }
  }

  async function cancel(id) {
    if (current === id) db.cancel()
  }

  async function run(request) {
    // a KILL QUERY cannot wait for its turn
    if (KILL.test(request.statement) && request.statement.includes(`'${current}'`)) db.cancel()
    const turn = last.then(() => {
      current = request.id
      return runNow(request)
    })
    last = turn.catch(() => {}).then(() => (current = undefined))
    return turn
  }
  return { name: 'chdb-wasm', run, cancel }
}

async function query(connection, statement, format) {
  const { data, rowsRead } = await connection.query(statement, format)
  return { data, rows: rowsRead }
}
