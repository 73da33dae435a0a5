import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from 'tar'
import packageJson from '../../package.json' with { type: 'json' }
import { OWNER } from '../../test/support/app/owner.ts'
import { startPostgres } from '../../test/support/servers/postgres.ts'
import { ROOT } from '../sources.ts'
import { fillRelease, type Send } from './content.ts'
import { dumpPostgres } from './dump-postgres.ts'
import { readRelease } from './read.ts'

const FOLDER = join(ROOT, 'test/releases', packageJson.version)

async function make(name: string, databaseUrl: string | undefined): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-release-'))
  try {
    const record = await withServer(folder, databaseUrl, async (send) => {
      await fillRelease(send)
      return readRelease(send)
    })
    await writeFile(join(folder, 'record.json'), JSON.stringify(record, undefined, 1))
    if (databaseUrl) await writeFile(join(folder, 'dump.sql'), await dumpPostgres(databaseUrl))
    const file = join(FOLDER, `${name}.tar.gz`)
    await create({ cwd: folder, file, gzip: { level: 9 }, portable: true }, ['.'])
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function withServer<T>(
  folder: string,
  databaseUrl: string | undefined,
  work: (send: Send) => Promise<T>,
): Promise<T> {
  const child = spawn(process.execPath, [join(ROOT, 'bin/hedgerow.mjs'), 'serve', '--json'], {
    env: {
      PATH: process.env.PATH,
      HEDGEROW_PORT: '0',
      HEDGEROW_DATA: folder,
      HEDGEROW_API_KEY: OWNER.apiKey,
      HEDGEROW_LOG_LEVEL: 'warn',
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    return await work(sendTo(await readUrl(child)))
  } finally {
    child.kill()
    await ended
  }
}

async function readUrl({ stdout }: ChildProcess): Promise<string> {
  for await (const line of stdout ?? []) return JSON.parse(String(line)).url
  throw new Error('The server did not start.')
}

const sendTo =
  (origin: string): Send =>
  async (method, path, body) => {
    const isJson = body !== undefined && !(body instanceof Blob)
    const response = await fetch(origin + path, {
      method,
      headers: {
        authorization: `Bearer ${OWNER.apiKey}`,
        accept: 'application/json',
        ...(isJson && { 'content-type': 'application/json' }),
      },
      body: isJson ? JSON.stringify(body) : body,
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

/**
 * Run before a release: writes storage of this version with something of everything, and what it reads from it, for
 * both databases. test/releases opens the storage of every release with the newest version.
 */
if (existsSync(FOLDER) && !process.argv.includes('--replace')) {
  throw new Error(`${FOLDER} exists. Use --replace if ${packageJson.version} is not released yet.`)
}
await rm(FOLDER, { recursive: true, force: true })
await mkdir(FOLDER, { recursive: true })
await make('sqlite', undefined)
const postgres = await startPostgres()
try {
  await make('postgres', postgres.url(await postgres.createDatabase()))
} finally {
  await postgres.stop()
}
