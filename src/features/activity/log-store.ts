import { sql } from 'kysely'
import { createdByFilter } from '#server/access/created-by.ts'
import { grantsScope, type Scope } from '#server/access/scopes.ts'
import { countRows } from '#server/db/count-rows.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { toId, toUuid } from '#server/http/ids.ts'
import { findItems } from './items-store.ts'
import type { ActivityLogQuery, LoggedActivity } from './schema.ts'
import { type ActivityEntries, type ActivityScope, selectEntries, toActivity } from './store.ts'

/** The scope that reading an item requires: the log reveals nothing that the key could not read otherwise. */
const READ_SCOPES: Readonly<Record<ActivityScope, Scope | undefined>> = {
  Plugin: 'plugin:read',
  PluginConfig: 'plugin:read',
  Dashboard: 'dashboard:read',
  Insight: 'insight:read',
  Alert: 'alert:read',
  Subscription: 'alert:read',
  Person: 'person:read',
  Cohort: 'cohort:read',
  Action: 'action:read',
  Annotation: 'annotation:read',
  SavedView: 'saved_view:read',
  Group: 'group:read',
  EventDefinition: 'event_definition:read',
  PropertyDefinition: 'property_definition:read',
  Project: undefined,
}

/** The scope for entries of a project that are about something else. */
const PROJECT_READ_SCOPES: Readonly<Record<string, Scope>> = {
  events_deleted: 'query:read',
  'template created': 'dashboard_template:read',
  'template updated': 'dashboard_template:read',
  'template deleted': 'dashboard_template:read',
  'template restored': 'dashboard_template:read',
}

type Filter = Omit<ActivityLogQuery, keyof PageRange>

interface LogReader {
  readonly projectId: number
  readonly scopes: ReadonlySet<string>
}

export async function listActivityLog(
  db: Db,
  { projectId, scopes }: LogReader,
  filter: Filter,
  range: PageRange,
): Promise<Slice<LoggedActivity>> {
  const all = db.selectFrom('activity').where('activity.project_id', '=', projectId)
  const entries = applyFilter(onlyVisible(all, scopes), projectId, filter)
  const rows = await selectEntries(entries, range)
  const items = await findItems(db, projectId, rows)
  const results = rows.map((row) => {
    const { item = null, itemId = String(row.item_id) } = items(row) ?? {}
    return { ...toActivity(row, itemId), item }
  })
  return { count: await countRows(entries), results }
}

function onlyVisible(entries: ActivityEntries, held: ReadonlySet<string>): ActivityEntries {
  const canRead = (needed: Scope | undefined) => needed === undefined || grantsScope(held, needed)
  const scopes = Object.entries(READ_SCOPES).filter(([, needed]) => canRead(needed))
  const hidden = Object.entries(PROJECT_READ_SCOPES).filter(([, needed]) => !canRead(needed))
  const shown = entries.where(
    'activity.scope',
    'in',
    scopes.map(([scope]) => scope),
  )
  if (hidden.length === 0) return shown
  return shown.where((eb) =>
    eb.or([
      eb('activity.scope', '!=', 'Project'),
      eb(
        'activity.activity',
        'not in',
        hidden.map(([activity]) => activity),
      ),
    ]),
  )
}

function applyFilter(entries: ActivityEntries, projectId: number, filter: Filter): ActivityEntries {
  const { scope, item_id, user, activity, after, before, search } = filter
  return entries
    .$if(scope !== undefined, (found) => found.where('activity.scope', '=', `${scope}`))
    .$if(item_id !== undefined, (found) => ofItem(found, projectId, `${item_id}`))
    .$if(user !== undefined, (found) => byUser(found, `${user}`))
    .$if(activity !== undefined, (found) => found.where('activity.activity', '=', `${activity}`))
    .$if(after !== undefined, (found) => found.where('activity.created_at', '>', `${after}`))
    .$if(before !== undefined, (found) => found.where('activity.created_at', '<', `${before}`))
    .$if(search !== undefined, (found) => found.where(nameContains(`${search}`)))
}

/** Alerts are addressed by UUID. */
function ofItem(entries: ActivityEntries, projectId: number, itemId: string): ActivityEntries {
  const uuid = toUuid(itemId)
  if (uuid === undefined) return entries.where('activity.item_id', '=', toId(itemId) ?? 0)
  return entries
    .where('activity.scope', '=', 'Alert')
    .where('activity.item_id', 'in', (eb) =>
      eb
        .selectFrom('alerts')
        .select('alerts.id')
        .where('alerts.project_id', '=', projectId)
        .where('alerts.uuid', '=', uuid),
    )
}

const byUser = (entries: ActivityEntries, user: string): ActivityEntries =>
  user === 'system'
    ? entries.where('activity.user_id', 'is', null)
    : entries.where('activity.user_id', 'in', createdByFilter(user, 'user') as never)

/** Relies on `defineLog` writing the name first. Both databases fold ASCII case. */
function nameContains(search: string) {
  const text = JSON.stringify(search).slice(1, -1)
  const pattern = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  const like = `{"name":"%${pattern.replace(/[\\%_]/g, '\\$&')}%","changes":%`
  return sql<boolean>`lower(activity.detail) like ${like} escape '\\'`
}
