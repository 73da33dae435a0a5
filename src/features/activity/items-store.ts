import type { Db } from '#server/db/schema.ts'
import type { Item } from './schema.ts'

interface LogEntry {
  readonly scope: string
  readonly item_id: number
}

interface LoggedItem {
  readonly item: Item
  /** The ID that callers use, if it is not the numeric one. */
  readonly itemId?: string
}

type Finder = (
  db: Db,
  projectId: number,
  ids: readonly number[],
) => Promise<readonly (readonly [number, LoggedItem])[]>

/** Finds items with a name that are not in the trash. */
const findNamed =
  (table: 'dashboards' | 'cohorts' | 'actions', kind: Item['kind']): Finder =>
  async (db, projectId, ids) => {
    const rows = await db
      .selectFrom(table)
      .select(['id', 'name'])
      .where('project_id', '=', projectId)
      .where('deleted', '=', 0)
      .where('id', 'in', ids)
      .execute()
    return rows.map(({ id, name }) => [id, { item: toItem(kind, id, name) }])
  }

const FINDERS: Readonly<Record<string, Finder>> = {
  Dashboard: findNamed('dashboards', 'dashboard'),
  async Insight(db, projectId, ids) {
    const rows = await db
      .selectFrom('insights')
      .select(['id', 'short_id', 'name', 'derived_name'])
      .where('project_id', '=', projectId)
      .where('deleted', '=', 0)
      .where('id', 'in', ids)
      .execute()
    return rows.map((row) => {
      const name = row.name || (row.derived_name ?? '')
      return [row.id, { item: toItem('insight', row.short_id, name) }]
    })
  },
  async Alert(db, projectId, ids) {
    const rows = await db
      .selectFrom('alerts')
      .leftJoin('insights', 'insights.id', 'alerts.insight_id')
      .select(['alerts.id', 'alerts.uuid', 'alerts.name', 'alerts.config_id'])
      .select('insights.short_id')
      .where('alerts.project_id', '=', projectId)
      .where('alerts.id', 'in', ids)
      .execute()
    return rows.map(({ id, uuid, name, short_id, config_id }) => {
      const item =
        short_id === null
          ? toItem('import_app', config_id ?? 0, name)
          : toItem('insight', short_id, name)
      return [id, { item, itemId: uuid }]
    })
  },
  async Subscription(db, projectId, ids) {
    const rows = await db
      .selectFrom('subscriptions')
      .leftJoin('insights', 'insights.id', 'subscriptions.insight_id')
      .select(['subscriptions.id', 'subscriptions.title', 'subscriptions.dashboard_id'])
      .select('insights.short_id')
      .where('subscriptions.project_id', '=', projectId)
      .where('subscriptions.id', 'in', ids)
      .execute()
    return rows.map(({ id, title, dashboard_id, short_id }) => {
      const item =
        short_id === null
          ? toItem('dashboard', dashboard_id ?? 0, title)
          : toItem('insight', short_id, title)
      return [id, { item }]
    })
  },
  async PluginConfig(db, projectId, ids) {
    const rows = await db
      .selectFrom('plugin_configs')
      .leftJoin('plugins', 'plugins.id', 'plugin_configs.plugin_id')
      .select(['plugin_configs.id', 'plugin_configs.name', 'plugins.name as plugin'])
      .where('plugin_configs.project_id', '=', projectId)
      .where('plugin_configs.deleted', '=', 0)
      .where('plugin_configs.id', 'in', ids)
      .execute()
    return rows.map(({ id, name, plugin }) => [
      id,
      { item: toItem('import_app', id, name || (plugin ?? '')) },
    ])
  },
  async Plugin(db, _projectId, ids) {
    const rows = await db
      .selectFrom('plugins')
      .select(['id', 'name'])
      .where('id', 'in', ids)
      .execute()
    return rows.map(({ id, name }) => [id, { item: toItem('app', id, name) }])
  },
  Cohort: findNamed('cohorts', 'cohort'),
  Action: findNamed('actions', 'action'),
  /** Persons are in another database, so the log itself tells their names and whether they were deleted. */
  async Person(db, projectId, ids) {
    const rows = await db
      .selectFrom('activity')
      .select(['item_id', 'activity', 'detail'])
      .where('project_id', '=', projectId)
      .where('scope', '=', 'Person')
      .where('item_id', 'in', ids)
      .orderBy('id')
      .execute()
    const newest = new Map(rows.map((row) => [row.item_id, row]))
    return [...newest.values()]
      .filter(({ activity }) => activity !== 'deleted')
      .map(({ item_id, detail }) => {
        const { name } = JSON.parse(detail)
        return [item_id, { item: toItem('person', item_id, name) }]
      })
  },
  async Project(db, projectId) {
    const { id, name } = await db
      .selectFrom('projects')
      .select(['id', 'name'])
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow()
    return [[id, { item: toItem('project', id, name) }]]
  },
}

const toItem = (kind: Item['kind'], id: number | string, name: string): Item => ({
  kind,
  id: String(id),
  name,
})

/** Runs one query per scope, not per entry. */
export async function findItems(
  db: Db,
  projectId: number,
  entries: readonly LogEntry[],
): Promise<(entry: LogEntry) => LoggedItem | undefined> {
  const byScope = Map.groupBy(entries, ({ scope }) => scope)
  const found = new Map<string, ReadonlyMap<number, LoggedItem>>()
  for (const [scope, scopeEntries] of byScope) {
    const ids = [...new Set(scopeEntries.map(({ item_id }) => item_id))]
    found.set(scope, new Map(await FINDERS[scope]?.(db, projectId, ids)))
  }
  return ({ scope, item_id }) => found.get(scope)?.get(item_id)
}
