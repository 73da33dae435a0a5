import { describe, expect, it } from 'vitest'
import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { COMPILER } from '#server/runtime/compile.ts'
import { startStorage } from '../../../../test/support/app/storage.ts'
import { installBuiltInPlugins, readBuiltInApps } from './built-in.ts'

const listBuiltIn = (db: Db) =>
  db.selectFrom('plugins').selectAll().where('built_in', '=', 1).orderBy('id').execute()

const accessVersion = async (db: Db) =>
  (await db.selectFrom('access_state').select('version').executeTakeFirstOrThrow()).version

const change = (db: Db, id: number, values: Record<string, string>) =>
  changeAccess(db, (tx) => tx.updateTable('plugins').set(values).where('id', '=', id).execute())

describe('the built-in apps', () => {
  it('are compiled and installed under fixed ids', async () => {
    const { db } = await startStorage()

    const plugins = await listBuiltIn(db)

    expect(plugins.map(({ id, name }) => [id, name])).toEqual([
      [1, 'HTTP JSON'],
      [2, 'CSV'],
      [3, 'PostgreSQL table'],
      [4, 'Demo data'],
      [5, 'Webhook'],
      [6, 'Stripe'],
      [7, 'GitHub'],
      [8, 'Google Sheets'],
      [9, 'Hacker News'],
      [10, 'npm downloads'],
      [11, 'GitLab'],
      [12, 'HubSpot'],
      [13, 'Zendesk'],
      [14, 'Airtable'],
      [15, 'RSS'],
      [16, 'Plausible'],
      [17, 'S3 files'],
      [20, 'MySQL or MariaDB table'],
    ])
    for (const { code, compiled_by, plugin_type, receives } of plugins) {
      expect(code).toContain(receives ? 'onRequest' : 'runEveryHour')
      expect(compiled_by).toContain(COMPILER)
      expect(plugin_type).toBe('built_in')
    }
    // depends on the sources too, or a new version of an app would not be compiled
    expect(new Set(plugins.map(({ compiled_by }) => compiled_by)).size).toBe(plugins.length)
  })

  it('keep the settings of earlier versions', async () => {
    const { db } = await startStorage()

    const keys = (await listBuiltIn(db)).map(({ config_schema }) =>
      JSON.parse(config_schema).map(({ key }: { key: string }) => key),
    )

    expect(keys[0]).toEqual(
      expect.arrayContaining(['url', 'headers', 'format', 'items', 'paging', 'paging_parameter']),
    )
    expect(keys[0]).toEqual(expect.arrayContaining(['cursor_path', 'id_field', 'event']))
    expect(keys[0]).toEqual(expect.arrayContaining(['distinct_id_field', 'timestamp_field']))
    expect(keys[1]).toEqual(expect.arrayContaining(['url', 'file', 'delimiter', 'event']))
    expect(keys[1]).toEqual(expect.arrayContaining(['distinct_id_column', 'timestamp_column']))
    expect(keys[2]).toEqual(expect.arrayContaining(['connection', 'table', 'cursor_column']))
    expect(keys[2]).toEqual(expect.arrayContaining(['batch_size', 'event', 'distinct_id_column']))
    expect(keys[3]).toEqual(['events', 'seed'])
  })

  it('each have a schedule and one public job without required fields, or handle requests', async () => {
    for (const { row } of await readBuiltInApps()) {
      if (row.receives) {
        expect(JSON.parse(row.capabilities)).toMatchObject({ methods: ['onRequest'] })
        continue
      }
      const jobs: Record<string, { payload?: Record<string, object> }> = JSON.parse(row.public_jobs)
      const fields = Object.values(jobs).flatMap(({ payload = {} }) => Object.values(payload))

      expect(Object.keys(jobs)).toHaveLength(1)
      expect(fields.filter((field) => 'required' in field)).toEqual([])
      expect(JSON.parse(row.capabilities)).toMatchObject({ scheduled_tasks: ['runEveryHour'] })
    }
  })

  it('mark headers, connections and secrets as secret', async () => {
    const secrets = (await readBuiltInApps()).flatMap(({ row }) =>
      JSON.parse(row.config_schema)
        .filter(({ secret }: { secret?: boolean }) => secret)
        .map(({ key }: { key: string }) => key),
    )

    expect(secrets).toEqual([
      ...['headers', 'connection', 'secret', 'key', 'token', 'key'],
      ...Array(4).fill('token'),
      ...['key', 'secret_key', 'session_token'],
      'connection',
    ])
  })

  it('are not recompiled at a start without changes', async () => {
    const { db } = await startStorage()
    await changeAccess(db, (tx) => tx.updateTable('plugins').set({ code: 'mark' }).execute())
    const before = await accessVersion(db)

    await installBuiltInPlugins(db)

    expect(await accessVersion(db)).toBe(before)
    expect(new Set((await listBuiltIn(db)).map(({ code }) => code))).toEqual(new Set(['mark']))
  })

  it.each([
    ['compiler', { compiled_by: 'an older compiler' }],
    ['description', { description: 'As it was described before.' }],
    ['settings', { config_schema: '[]' }],
  ])('are updated when their %s changes, and the others are not', async (_, values) => {
    const { db } = await startStorage()
    await changeAccess(db, (tx) => tx.updateTable('plugins').set({ code: 'mark' }).execute())
    await change(db, 2, values)
    const before = await accessVersion(db)

    await installBuiltInPlugins(db)

    const plugins = await listBuiltIn(db)
    expect(plugins.filter(({ code }) => code !== 'mark').map(({ id }) => id)).toEqual([2])
    expect(plugins[1]).toMatchObject((await readBuiltInApps())[1]?.row ?? {})
    expect(await accessVersion(db)).toBeGreaterThan(before)
  })
})
