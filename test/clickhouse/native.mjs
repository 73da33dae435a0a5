import { rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quote, readingFile, withOwnIds } from './statements.mjs'

// statements wait for a thread of Node's pool, and KILL QUERY needs one too
process.env.UV_THREADPOOL_SIZE ??= '16'

/** Opens chdb, or returns undefined where it does not load. */
export async function openNative(folder) {
  const { Session } = await import('chdb').catch(() => ({}))
  if (!Session) return undefined
  const files = await mkdtemp(join(tmpdir(), 'hedgerow-clickhouse-'))
  const path = folder || join(files, 'data')
  const open = () => new Session(path, { connectionArgs: ['--max_threads=2'] })
  open() // the engine ends with its last connection
  process.on('exit', () => rmSync(files, { recursive: true, force: true }))
  let inserts = 0

  /** Runs a statement on a connection of its own, whose settings it cannot leave behind. */
  async function run({ statement, data, setup, format }) {
    const session = open()
    try {
      for (const each of setup) await session.queryAsync(each)
      if (!data) return await query(session, withOwnIds(statement), format)
      const file = join(files, String(inserts++))
      await writeFile(file, data)
      return await query(session, readingFile(statement, file), format).finally(() => rm(file))
    } finally {
      session.close()
    }
  }

  const cancel = (id) =>
    run({ statement: `kill query where query_id = ${quote(id)} async`, setup: [], format: 'Null' })
  return { name: 'chdb', run, cancel }
}

async function query(session, statement, format) {
  const result = await session.queryAsync(statement, { format })
  return { data: result.bytes(), rows: result.rowsRead }
}
