import { readdirSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { extract } from 'tar'
import { describe, expect, it } from 'vitest'
import type { StorageOptions } from '#server/db/open.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { runJob, SETTINGS_READ, type Send } from '../../tools/releases/content.ts'
import { dumpPostgres, loadPostgres } from '../../tools/releases/dump-postgres.ts'
import { type ReleaseRecord, readRelease, withoutVolatile } from '../../tools/releases/read.ts'
import { startApp, type TestApp } from '../support/app/app.ts'
import { startTestWorker } from '../support/app/import-app.ts'
import { emptyStorage } from '../support/app/storage.ts'

const DATABASES = ['sqlite', 'postgres'] as const

const RELEASES = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => DATABASES.map((database) => [name, database] as const))

/** Unpacks the storage of a release. */
async function openRelease(version: string, database: (typeof DATABASES)[number]) {
  const options = await emptyStorage(database)
  const { dataFolder, databaseUrl } = options
  await mkdir(dataFolder, { mode: 0o700 })
  const file = join(import.meta.dirname, version, `${database}.tar.gz`)
  await extract({ file, cwd: dataFolder })
  const read = (name: string) => readFile(join(dataFolder, name), 'utf8')
  if (databaseUrl) await loadPostgres(databaseUrl, await read('dump.sql'))
  const record: ReleaseRecord = withoutVolatile(JSON.parse(await read('record.json')))
  return { options, record }
}

/** Sends requests with the key of the release. */
async function start(options: StorageOptions): Promise<{ api: TestApp; send: Send }> {
  const api = await startApp(undefined, {}, options)
  const send: Send = async (method, path, body) => {
    const {
      status,
      body: answer,
      text,
    } = await api.request(method, path, body, {
      accept: 'application/json',
    })
    expect(status, `${method} ${path}: ${text}`).toBeLessThan(300)
    return answer
  }
  return { api, send }
}

describe('storage of a release', () => {
  it.each(RELEASES)('%s on %s shows the same data', async (version, database) => {
    const { options, record } = await openRelease(version, database)

    const { api, send } = await start(options)
    const now = await readRelease(send)

    expect(now.results).toEqual(record.results)
    expect(now.lists).toMatchObject(record.lists)
    startTestWorker(api)
    expect(await runJob(send)).toEqual(SETTINGS_READ)
  })
})

it('is dumped from PostgreSQL completely', async () => {
  const { databaseUrl: from = '' } = await openRelease(packageJson.version, 'postgres').then(
    ({ options }) => options,
  )
  const { databaseUrl: to = '' } = await emptyStorage('postgres')
  const dump = await dumpPostgres(from)

  await loadPostgres(to, dump)

  expect(await dumpPostgres(to)).toBe(dump)
})
