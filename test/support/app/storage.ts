import { cp, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { readConfig } from '#server/config.ts'
import { openStorage, type Storage, type StorageOptions } from '#server/db/open.ts'
import type { Pictures } from '#server/pictures/contract.ts'
import { createPictures } from '#server/pictures/pictures.ts'
import { openServices, type Services, type ServicesConfig } from '#server/services.ts'
import { createClickHouseDatabase } from '../servers/clickhouse.ts'
import { databasesAt } from '../servers/postgres.ts'
import { fastFolder } from './fast-folder.ts'

export type Database = 'sqlite' | 'postgres' | 'clickhouse'

/** The databases that a test of event stores tries; in the project of ClickHouse that one. */
export const DATABASES: readonly Database[] = process.env.TEST_CLICKHOUSE
  ? ['clickhouse']
  : ['sqlite', 'postgres']

/** The database of tests with several servers; in the project of ClickHouse, events are in that. */
export const SHARED_DATABASE: Database = process.env.TEST_CLICKHOUSE ? 'clickhouse' : 'postgres'

/** The database of this worker's project. */
export const DATABASE = process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite'

/** Copies the prepared storage for one test; it is deleted when the test ends. */
export async function storageOptions(
  database = process.env.TEST_DATABASE,
): Promise<StorageOptions> {
  const dataFolder = await mkdtemp(join(fastFolder(), 'hedgerow-test-'))
  onTestFinished(() => rm(dataFolder, { recursive: true, force: true }))
  if (database !== 'postgres' && database !== 'clickhouse') {
    await cp(inject('sqliteTemplate'), dataFolder, { recursive: true })
    return { dataFolder, databaseUrl: undefined }
  }
  const postgres = databasesAt(inject('postgresPort'))
  const name = await postgres.createDatabase({ template: inject('postgresTemplate') })
  onTestFinished(() => postgres.dropDatabase(name))
  return { dataFolder, databaseUrl: postgres.url(name), ...(await clickHouseOptions(database)) }
}

/** Creates an empty database in ClickHouse, which ends with its server. */
const clickHouseOptions = async (database: string) =>
  database === 'clickhouse'
    ? { clickHouse: await createClickHouseDatabase(inject('clickhouseUrl')) }
    : {}

/** Returns storage before its first start. */
export async function emptyStorage(database: 'sqlite' | 'postgres'): Promise<StorageOptions> {
  const parent = await mkdtemp(join(fastFolder(), 'hedgerow-test-'))
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
  const dataFolder = join(parent, 'data')
  if (database === 'sqlite') return { dataFolder, databaseUrl: undefined }
  const postgres = databasesAt(inject('postgresPort'))
  const name = await postgres.createDatabase()
  onTestFinished(() => postgres.dropDatabase(name))
  return { dataFolder, databaseUrl: postgres.url(name) }
}

export async function startStorage(): Promise<Storage> {
  const storage = await openStorage(await storageOptions())
  onTestFinished(() => storage.close())
  return storage
}

/** Copies the prepared storage for all tests of this worker; it is deleted when the run ends. */
export async function sharedStorageOptions(
  database = process.env.TEST_DATABASE,
): Promise<StorageOptions> {
  const dataFolder = await mkdtemp(join(inject('sharedFolder'), 'worker-'))
  if (database !== 'postgres' && database !== 'clickhouse') {
    await cp(inject('sqliteTemplate'), dataFolder, { recursive: true })
    return { dataFolder, databaseUrl: undefined }
  }
  const postgres = databasesAt(inject('postgresPort'))
  const name = await postgres.createDatabase({ template: inject('postgresTemplate') })
  return { dataFolder, databaseUrl: postgres.url(name), ...(await clickHouseOptions(database)) }
}

/** Opens the services of an app with the operator's settings, by default on new storage. */
export async function startServices(
  env: Record<string, string> = {},
  options?: StorageOptions,
): Promise<Services> {
  const storage = options ?? (await storageOptions())
  const services = await openTestServices({ ...readConfig(env), ...storage })
  onTestFinished(() => services.close())
  return services
}

let pictures: Pictures | undefined

/** Opens services that share one drawing process per worker, because its start takes a second of CPU time. */
export async function openTestServices(config: ServicesConfig): Promise<Services> {
  const services = await openServices(config, () => {})
  // far longer than in production: on a busy machine, the process may take 20 s to start
  pictures ??= createPictures({ warn: () => {}, timeoutMs: 60_000 })
  return { ...services, pictures }
}
