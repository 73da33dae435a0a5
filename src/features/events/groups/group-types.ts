import type { Caller } from '#server/access/guard.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { invalid } from '#server/errors.ts'
import { defineLog } from '#server/features/activity/log.ts'
import { listGroupTypeNames, upsertGroupTypeNames } from './names-store.ts'
import type { GroupType, GroupTypeMetadata } from './schema.ts'
import { listGroupTypeRows } from './store.ts'

export interface GroupDeps {
  readonly db: Db
  readonly events: EventStore
}

/** Lists the types of groups of a project by index. */
export async function listGroupTypes(
  { db, events }: GroupDeps,
  { projectId }: Pick<Caller, 'projectId'>,
): Promise<GroupType[]> {
  const types = await listGroupTypeRows(events, projectId)
  const names = await listGroupTypeNames(db, projectId)
  return types.map(({ index, name, createdAt }) => ({
    group_type: name,
    group_type_index: index,
    name_singular: names.get(name)?.name_singular ?? null,
    name_plural: names.get(name)?.name_plural ?? null,
    created_at: createdAt,
  }))
}

/** Names types of groups. Types and names that are not sent stay as they are. */
export async function updateGroupTypes(
  deps: GroupDeps,
  caller: Caller,
  updates: readonly GroupTypeMetadata[],
): Promise<GroupType[]> {
  const { projectId } = caller
  const types = await listGroupTypes(deps, { projectId })
  const changed = updates.map(({ group_type_index, ...names }, at) => {
    const type = types.find((each) => each.group_type_index === group_type_index)
    if (!type) throw unknownType(group_type_index, `${at}__group_type_index`)
    return { before: type, after: { ...type, ...names } }
  })
  await changeProject(deps.db, projectId, async (tx) => {
    for (const { before, after } of changed) {
      await upsertGroupTypeNames(tx, projectId, after)
      await log.logUpdate(tx, caller, { before, after }, log.listChanges(before, after))
    }
  })
  return listGroupTypes(deps, { projectId })
}

const log = defineLog<GroupType>('Group', {
  toItem: (type) => ({ id: type.group_type_index, name: type.group_type }),
  toLogged: ({ name_singular, name_plural }) => ({ name_singular, name_plural }),
})

/** Refuses the index of a type that the project does not have. */
export async function requireGroupType(
  events: EventStore,
  projectId: number,
  index: number,
  attr: string,
): Promise<void> {
  const types = await listGroupTypeRows(events, projectId)
  if (!types.some((type) => type.index === index)) throw unknownType(index, attr)
}

const unknownType = (index: number, attr: string) =>
  invalid(attr, `Group type ${index} does not exist.`, 'does_not_exist')
