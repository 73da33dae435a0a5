import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startPostgres } from './postgres.ts'
import { findServerUser, toReadable } from './postgres-binaries.ts'

const isRoot = process.getuid?.() === 0

test('serves PostgreSQL 18 until stopped, and leaves neither process nor folder', async () => {
  const server = await startPostgres()
  onTestFinished(server.stop)
  const rows = await query(server.url('postgres'), 'select version()')
  const { folder, pid } = await locate(server.url('postgres'))

  await server.stop()

  expect(rows[0].version).toMatch(/^PostgreSQL 18\./)
  expect(isRunning(pid)).toBe(false)
  expect(existsSync(folder)).toBe(false)
})

test('creates separate databases from a template, and drops them while in use', async () => {
  const server = await startPostgres()
  onTestFinished(server.stop)
  const template = await server.createDatabase()
  await query(
    server.url(template),
    "create table pets (name text); insert into pets values ('cat')",
  )

  const names = await Promise.all([1, 2, 3].map(() => server.createDatabase({ template })))

  const [first = '', second = ''] = names
  await query(server.url(first), 'delete from pets')
  expect(await query(server.url(first), 'select * from pets')).toEqual([])
  expect(await query(server.url(second), 'select * from pets')).toEqual([{ name: 'cat' }])
  const guest = await connectGuest(server.url(second))
  await server.dropDatabase(second)
  await guest.ended
  await expect(query(server.url(second), 'select 1')).rejects.toMatchObject({ code: '3D000' })
})

test('ends when its owner is killed, even while clients are connected', async () => {
  const module = new URL('./postgres.ts', import.meta.url).href
  const code = `import { startPostgres } from '${module}'
    console.log((await startPostgres()).url('postgres'))`
  const owner = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void owner.kill('SIGKILL'))
  const [url] = await once(owner.stdout, 'data')
  const { folder, pid } = await locate(`${url}`.trim())
  const guest = await connectGuest(`${url}`.trim())
  expect(isRunning(pid)).toBe(true)

  owner.kill('SIGKILL')

  await guest.ended
  await expect.poll(() => isRunning(pid) || existsSync(folder), { timeout: 30_000 }).toBe(false)
})

test.runIf(isRoot)('copies binaries that the server user cannot reach, once', async () => {
  const closed = await mkdtemp(join(tmpdir(), 'hedgerow-closed-'))
  onTestFinished(() => rm(closed, { recursive: true }))
  await mkdir(join(closed, 'bin'), { mode: 0o700 })
  await writeFile(join(closed, 'bin/postgres'), '#!/bin/sh\n', { mode: 0o700 })
  await symlink('postgres', join(closed, 'bin/link'))
  const user = await findServerUser()
  const version = basename(closed)

  const copy = await toReadable(closed, version, user)

  onTestFinished(() => rm(copy, { recursive: true }))
  expect(copy).not.toBe(closed)
  expect(await readlink(join(copy, 'bin/link'))).toBe('postgres')
  expect(await toReadable(copy, version, user)).toBe(copy)
  await rm(join(closed, 'bin/link'))
  expect(await toReadable(closed, version, user)).toBe(copy)
  expect(existsSync(join(copy, 'bin/link'))).toBe(true)
  await chmod(copy, 0o777)
  await expect(toReadable(closed, version, user)).rejects.toThrow('not ours alone')
})

async function query(connectionString: string, text: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query(text).finally(() => client.end())
  return rows
}

/** Connects a client that stays until the server ends its connection. */
async function connectGuest(connectionString: string) {
  const guest = new pg.Client({ connectionString })
  // Without a listener, each of the two errors of a broken connection would end the process.
  guest.on('error', () => {})
  await guest.connect()
  return { ended: new Promise((resolve) => guest.once('end', resolve)) }
}

async function locate(url: string) {
  const [{ data_directory: folder }] = await query(url, 'show data_directory')
  const lock = await readFile(join(folder, 'postmaster.pid'), 'utf8')
  return { folder: join(folder, '..'), pid: Number.parseInt(lock, 10) }
}

function isRunning(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
