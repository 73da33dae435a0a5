import type { JsonObject } from '#model/json.ts'
import type { Caller } from '#server/access/guard.ts'
import type { GroupEdit } from '#server/analytics/event-store.ts'
import { MAX_PROPERTIES_LENGTH } from '#server/analytics/identity/identity.ts'
import { changeProject } from '#server/db/change.ts'
import { invalid, notFound } from '#server/errors.ts'
import { getQueryContext } from '#server/features/accounts/projects/query-context.ts'
import { defineLog } from '#server/features/activity/log.ts'
import type { Change } from '#server/features/activity/schema.ts'
import { hasGroupProperties, parseGroupFilters } from './filters.ts'
import { type GroupDeps, requireGroupType } from './group-types.ts'
import type {
  GroupCreate,
  GroupId,
  GroupPropertyDefinition,
  GroupQuery,
  GroupValueQuery,
} from './schema.ts'
import {
  findGroupRow,
  type GroupRange,
  type GroupRow,
  listGroupRows,
  listGroupTypeRows,
  listGroupValues,
} from './store.ts'

/** Number of groups of each type whose properties are sampled. */
const SAMPLE_SIZE = 1000

export async function listGroups(
  { db, events }: GroupDeps,
  { projectId }: Caller,
  { group_type_index: index, search, properties }: GroupQuery,
  range: GroupRange,
): Promise<GroupRow[]> {
  await requireGroupType(events, projectId, index, 'group_type_index')
  const filters = properties ? parseGroupFilters(properties, index) : undefined
  const context = await getQueryContext(db, projectId)
  const hasProperties = filters && hasGroupProperties(filters, context)
  return listGroupRows(events, projectId, { index, search, hasProperties }, range)
}

export async function getGroup(
  { events }: GroupDeps,
  { projectId }: Caller,
  id: GroupId,
): Promise<GroupRow> {
  const group = await findGroupRow(events, projectId, id)
  if (!group) throw notFound('Group')
  return group
}

export async function createGroup(
  deps: GroupDeps,
  caller: Caller,
  { group_properties: set = {}, ...id }: GroupCreate,
): Promise<GroupRow> {
  await requireGroupType(deps.events, caller.projectId, id.group_type_index, 'group_type_index')
  requireSize(set, 'group_properties')
  if (!(await editGroup(deps, caller, id, { kind: 'create', set, unset: [] }))) {
    throw invalid('group_key', 'A group with this key already exists.')
  }
  const group = await getGroup(deps, caller, id)
  await logGroup(deps, caller, group, 'created')
  return group
}

export interface GroupChanges {
  readonly id: GroupId
  readonly set?: JsonObject
  readonly unset?: readonly string[]
}

export async function updateGroup(
  deps: GroupDeps,
  caller: Caller,
  { id, set = {}, unset = [] }: GroupChanges,
): Promise<GroupRow> {
  const before = await getGroup(deps, caller, id)
  requireSize({ ...toProperties(before), ...set }, 'value')
  if (!(await editGroup(deps, caller, id, { kind: 'update', set, unset }))) throw notFound('Group')
  const after = await getGroup(deps, caller, id)
  const changes = log.listChanges(before, after)
  if (changes.length > 0) await logGroup(deps, caller, after, 'updated', changes)
  return after
}

const toProperties = ({ properties }: GroupRow): JsonObject => JSON.parse(properties)

function requireSize(properties: JsonObject, attr: string): void {
  if (JSON.stringify(properties).length <= MAX_PROPERTIES_LENGTH) return
  const detail = `A group's properties may have at most ${MAX_PROPERTIES_LENGTH} characters of JSON.`
  throw invalid(attr, detail, 'max_length')
}

const editGroup = (
  { events }: GroupDeps,
  { projectId }: Caller,
  { group_type_index: index, group_key: key }: GroupId,
  edit: Pick<GroupEdit, 'kind' | 'set' | 'unset'>,
): Promise<boolean> =>
  events.editGroup(projectId, { ...edit, index, key, timestamp: new Date().toISOString() })

const log = defineLog<GroupRow>('Group', {
  toItem: ({ index, key }) => ({ id: index, name: key }),
  toLogged: toProperties,
})

/** Logs after the change, because the events are not in this transaction's database. */
const logGroup = (
  { db }: GroupDeps,
  caller: Caller,
  group: GroupRow,
  activity: string,
  changes?: Change[],
): Promise<void> =>
  changeProject(db, caller.projectId, (tx) => log.logActivity(tx, caller, group, activity, changes))

/** Lists the names of properties by the index of the group type, most frequent first. */
export async function listGroupPropertyDefinitions(
  { events }: GroupDeps,
  { projectId }: Caller,
): Promise<Record<string, GroupPropertyDefinition[]>> {
  const types = await listGroupTypeRows(events, projectId)
  const entries = types.map(async ({ index }) => {
    const range = { limit: SAMPLE_SIZE }
    const groups = await listGroupRows(events, projectId, { index, search: undefined }, range)
    return [String(index), countNames(groups.map(toProperties))] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

function countNames(all: readonly JsonObject[]): GroupPropertyDefinition[] {
  const counts = new Map<string, number>()
  for (const name of all.flatMap(Object.keys)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .toSorted((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1))
}

export async function listGroupPropertyValues(
  { events }: GroupDeps,
  { projectId }: Caller,
  query: GroupValueQuery,
) {
  await requireGroupType(events, projectId, query.group_type_index, 'group_type_index')
  return listGroupValues(events, projectId, query)
}
