import { mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listBackups } from '#server/backup/schedule/files.ts'
import { runHedgerow, startServer, startWorkerProcess, toEnv } from '../support/app/cli.ts'
import { storageOptions } from '../support/app/storage.ts'
import { temporaryFolder } from '../support/data/backups.ts'
import { until } from '../support/until.ts'

const toSchedule = (folder: string) => ({
  HEDGEROW_BACKUP_FOLDER: folder,
  HEDGEROW_BACKUP_INTERVAL: '6h',
})

const checkBackups = async (env: Record<string, string | undefined>): Promise<string> => {
  const { json } = await runHedgerow(['doctor', '--json'], { HEDGEROW_PORT: '0', ...env })
  return json.checks.find(({ name }: { name: string }) => name === 'backups').detail
}

it('makes one backup with several servers and workers on PostgreSQL', async () => {
  const folder = await temporaryFolder()
  const env = { ...toEnv(await storageOptions('postgres')), ...toSchedule(folder) }

  await Promise.all([startServer(env), startServer(env), startWorkerProcess(env)])

  await until(async () => (await checkBackups(env)).startsWith('The last one is from just now'))
  expect(await readdir(folder)).toHaveLength(1)
  const [path = ''] = await listBackups(folder)
  expect((await runHedgerow(['backup', 'verify', path])).code).toBe(0)
})

it('makes a backup beside the server of a data folder, after one that was killed', async () => {
  const folder = await temporaryFolder()
  const env = { ...toEnv(await storageOptions('sqlite')), ...toSchedule(folder) }
  await mkdtemp(join(folder, 'unfinished-backup-'))

  const server = await startServer(env)

  await until(async () => (await checkBackups(env)).startsWith('The last one is from just now'))
  expect(await readdir(folder)).toHaveLength(1)
  expect(await server.stop()).toBe(0)
})
