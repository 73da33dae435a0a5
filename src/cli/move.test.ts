import { describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import type { StorageOptions } from '../db/open.ts'
import { toNextStep } from './move.ts'

const POSTGRES = { DATABASE_URL: 'postgres://jo:hush@old/db', HEDGEROW_SECRET_KEY: 'key' }
const CLICKHOUSE = { ...POSTGRES, EVENTS_URL: 'clickhouse://jo:hush@old/db' }
const CLUSTER = { ...CLICKHOUSE, EVENTS_CLUSTER: 'old' }

const onPostgres: StorageOptions = { dataFolder: '/data', databaseUrl: 'postgres://jo:hush@new/db' }
const inFolder: StorageOptions = { dataFolder: '/new', databaseUrl: undefined }
const onClickHouse = (cluster?: string): StorageOptions => ({
  ...onPostgres,
  clickHouse: { url: 'clickhouse://jo:hush@new/db', cluster, keysDays: 0, maxWaitingMb: 1 },
})

const step = (env: Record<string, string>, target: StorageOptions) =>
  toNextStep(readConfig(env), target)

describe('the settings to change after a move', () => {
  it.each([
    [POSTGRES, onPostgres, 'Set DATABASE_URL to the new database'],
    [POSTGRES, onClickHouse(), 'Set DATABASE_URL and EVENTS_URL to the new databases'],
    [
      POSTGRES,
      onClickHouse('main'),
      'Set DATABASE_URL and EVENTS_URL to the new databases, set EVENTS_CLUSTER=main',
    ],
    [CLICKHOUSE, onPostgres, 'Set DATABASE_URL to the new database, unset EVENTS_URL'],
    [CLICKHOUSE, inFolder, 'Set HEDGEROW_DATA=/new, unset DATABASE_URL and EVENTS_URL'],
    [
      CLUSTER,
      onClickHouse(),
      'Set DATABASE_URL and EVENTS_URL to the new databases, unset EVENTS_CLUSTER',
    ],
    [
      CLUSTER,
      onPostgres,
      'Set DATABASE_URL to the new database, unset EVENTS_URL and EVENTS_CLUSTER',
    ],
  ])('from %j to %j', (env, target, expected) => {
    expect(step(env, target)).toBe(`${expected}, then start the server.`)
  })
})
