import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { emptyStorage } from '../../test/support/app/storage.ts'
import { MIGRATIONS, migrate } from './migrate.ts'
import { connectStorage } from './open.ts'

const AT = '2024-05-01T11:30:00.000Z'

describe.each(['sqlite', 'postgres'] as const)('migration of schedules on %s', (database) => {
  it('keeps the last tick of runs that earlier versions queued', async () => {
    const { db, close } = await connectStorage(await emptyStorage(database))
    onTestFinished(close)
    const before = MIGRATIONS.findIndex(({ name }) => name === '0012-schedule-ticks')
    await migrate(db, MIGRATIONS.slice(0, before))
    const statements = [
      `insert into organizations (id, name, created_at) values ('o', 'O', '${AT}')`,
      `insert into projects (id, organization_id, uuid, name, api_token, timezone, created_at) values (1, 'o', 'u', 'P', 't', 'UTC', '${AT}')`,
      `insert into plugin_configs (id, project_id, plugin_id, enabled, position, settings, deleted, created_at, updated_at) values (7, 1, 4, 1, 0, '', 0, '${AT}', '${AT}')`,
      ...['10', '12', '11'].map(
        (hour) =>
          `insert into runs (id, project_id, config_id, kind, name, payload, operation, state, message, created_at, once_key)
           values ('${hour}', 1, 7, 'schedule', 'runEveryHour', 'null', 'start', 'succeeded', '', '${AT}', '7 runEveryHour 2024-05-01T${hour}:00:00.000Z')`,
      ),
    ]
    for (const statement of statements) await sql.raw(statement).execute(db)

    await migrate(db)

    expect(await db.selectFrom('schedule_ticks').selectAll().execute()).toEqual([
      { config_id: 7, task: 'runEveryHour', tick: '2024-05-01T12:00:00.000Z' },
    ])
    const configs = await db.selectFrom('plugin_configs').select('scheduled_from').execute()
    expect(configs).toEqual([{ scheduled_from: AT }])
  })
})
