import { sql } from 'kysely'
import { expect, inject, it, onTestFinished } from 'vitest'
import { openEventStore } from '#server/analytics/open.ts'
import { openStorage } from '#server/db/open.ts'
import { runHedgerow, toEnv } from '../support/app/cli.ts'
import { storageOptions } from '../support/app/storage.ts'
import { newEvent } from '../support/data/events.ts'
import { startFaultyProxy } from '../support/servers/faulty-proxy.ts'

it('checks ClickHouse, and how long events have waited for it', async () => {
  const options = await storageOptions('clickhouse')
  const proxy = await startFaultyProxy(inject('clickhouseUrl'))
  const given = options.clickHouse as NonNullable<typeof options.clickHouse>
  const clickHouse = { ...given, url: given.url.replace(/@[^/]+/, `@${proxy.host}`) }
  const env = { ...toEnv({ ...options, clickHouse }), HEDGEROW_PORT: '0' }
  const { db, close } = await openStorage(options)
  onTestFinished(close)
  proxy.decide((statement) => (/^insert into events/i.test(statement) ? 'cut' : 'pass'))
  const store = openEventStore({ ...options, clickHouse, db })
  onTestFinished(() => store.close())
  await store.append(1, [newEvent()])

  const soon = await runHedgerow(['doctor'], env)
  await sql`update outbox_events set created_at = now() - interval '2 hours'`.execute(db)
  const late = await runHedgerow(['doctor'], env)
  proxy.decide((statement) => (statement.includes('system.parts') ? 'cut' : 'pass'))
  const down = await runHedgerow(['doctor'], env)

  const place = `ClickHouse at ${proxy.host}`
  expect(soon.stdout).toMatch(
    new RegExp(`^✓ events +${place}.* \\(.*grants: ok; waiting: 1\\)$`, 'm'),
  )
  expect(late.stdout).toMatch(new RegExp(`^! events .*${place}.* for 12\\d minutes`, 'm'))
  expect([soon.code, late.code, down.code]).toEqual([0, 0, 1])
  expect(down.stdout).toMatch(new RegExp(`^✗ events +${place}.* cannot be reached`, 'm'))
})
