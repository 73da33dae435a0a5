import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openStorage } from '#server/db/open.ts'
import { prepareStorage } from '#server/features/setup/first-start.ts'
import { findChromium } from '../../browser/find-chromium.ts'
import { cheapHash } from '../app/cheap-hash.ts'
import { fastFolder } from '../app/fast-folder.ts'
import { OWNER } from '../app/owner.ts'
import { startClickHouse } from '../servers/clickhouse.ts'
import { startPostgres } from '../servers/postgres.ts'
import { CLICKHOUSE, CLICKHOUSE_API } from './projects.ts'

declare module 'vitest' {
  interface ProvidedContext {
    sqliteTemplate: string
    sharedFolder: string
    postgresPort: number
    postgresTemplate: string
    clickhouseUrl: string
  }
}

/** Prepares the storage of a first start once; every test gets a copy. */
export default async function setup(root: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (root.vitest.projects.every(({ name }) => name === 'web')) return undefined // no server
  const { provide } = root
  findChromium() // now, because two workers cannot install it at the same time
  const folder = await mkdtemp(join(fastFolder(), 'hedgerow-template-'))
  await fill({ dataFolder: folder, databaseUrl: undefined })
  provide('sqliteTemplate', folder)
  const sharedFolder = await mkdtemp(join(fastFolder(), 'hedgerow-shared-'))
  provide('sharedFolder', sharedFolder)

  const postgres = await startPostgres()
  const template = await postgres.createDatabase()
  await fill({ dataFolder: folder, databaseUrl: postgres.url(template) })
  provide('postgresPort', postgres.port)
  provide('postgresTemplate', template)

  const hasClickHouse = root.vitest.projects.some(({ name }) =>
    [CLICKHOUSE, CLICKHOUSE_API].includes(name),
  )
  const clickhouse = hasClickHouse ? await startClickHouse() : undefined
  if (clickhouse) provide('clickhouseUrl', clickhouse.url)

  return async () => {
    await clickhouse?.stop()
    await postgres.stop()
    await rm(folder, { recursive: true })
    await rm(sharedFolder, { recursive: true })
  }
}

async function fill(options: Parameters<typeof openStorage>[0]): Promise<void> {
  const storage = await openStorage(options)
  await prepareStorage(storage.db, OWNER)
  const password_hash = await cheapHash(OWNER.password)
  await storage.db.updateTable('users').set({ password_hash }).execute()
  await storage.close()
}
