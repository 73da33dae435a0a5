import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { flag, json, now } from '#server/db/values.ts'
import { invalid } from '#server/errors.ts'
import { listUsersWithAccess } from '#server/features/accounts/members/store.ts'
import { listUsersById } from '#server/features/accounts/users/store.ts'
import { defineLog } from '#server/features/activity/log.ts'
import { toTags } from '#server/resource/tags.ts'
import { toDefinitionId } from './definition-id.ts'
import {
  type DefinitionType,
  type DetailsRow,
  listDetails,
  upsertDetails,
} from './details-store.ts'
import type { Details, PropertyDefinitionPatch, PropertyType } from './schema.ts'

type Users = Awaited<ReturnType<typeof listUsersById>>

/** The details of the names of one type, by name. */
export interface DetailsOfType {
  /** Returns empty details for a name without a description. */
  of(name: string): Details & { readonly property_type: PropertyType | null }
  /** The names that have details, even if no recent event has them. */
  readonly names: readonly string[]
}

export async function readDetails(
  db: Db,
  projectId: number,
  type: DefinitionType,
): Promise<DetailsOfType> {
  const rows = await listDetails(db, projectId, type)
  const ids = rows.flatMap((row) => [row.owner_id, row.verified_by, row.updated_by])
  const users = await listUsersById(db, ids)
  const byName = new Map(rows.map((row) => [row.name, row]))
  return {
    of: (name) => toDetails(toDefinitionId(type, name), byName.get(name), users),
    names: [...byName.keys()],
  }
}

const toDetails = (id: string, row: DetailsRow | undefined, users: Users) => ({
  id,
  description: row?.description ?? '',
  owner: users.get(row?.owner_id ?? 0) ?? null,
  tags: row ? (JSON.parse(row.tags) as string[]) : [],
  verified: row?.verified === 1,
  verified_at: row?.verified_at ?? null,
  verified_by: users.get(row?.verified_by ?? 0) ?? null,
  hidden: row?.hidden === 1,
  updated_at: row?.updated_at ?? null,
  updated_by: users.get(row?.updated_by ?? 0) ?? null,
  property_type: row?.property_type ?? null,
})

interface DefinitionName {
  readonly type: DefinitionType
  readonly name: string
}

/** Changes what people wrote about a name. Fields that are not sent stay as they are. */
export function patchDetails(
  db: Db,
  caller: Caller,
  { type, name }: DefinitionName,
  patch: PropertyDefinitionPatch,
): Promise<void> {
  const { projectId, userId } = caller
  return changeProject(db, projectId, async (tx) => {
    const found = (await listDetails(tx, projectId, type)).find((row) => row.name === name)
    const before = found ?? { ...UNDESCRIBED, project_id: projectId, type, name }
    const changed = { ...before, ...toColumns(patch) }
    if (changed.verified && changed.hidden) {
      const attr = patch.hidden ? 'hidden' : 'verified'
      throw invalid(attr, 'A definition cannot be verified and hidden.')
    }
    if (patch.owner) await requireOwner(tx, projectId, patch.owner)
    const isNewlyVerified = changed.verified && !before.verified
    const after = await upsertDetails(tx, {
      ...changed,
      uuid: toDefinitionId(type, name),
      ...(isNewlyVerified && { verified_at: now(), verified_by: userId }),
      ...(!changed.verified && { verified_at: null, verified_by: null }),
      updated_at: now(),
      updated_by: userId,
    })
    const log = type === 'event' ? eventLog : propertyLog
    await log.logUpdate(tx, caller, { before: after, after }, log.listChanges(before, after))
  })
}

const UNDESCRIBED = {
  description: '',
  owner_id: null,
  tags: '[]',
  verified: 0,
  verified_at: null,
  verified_by: null,
  hidden: 0,
  property_type: null,
} as const

/** Kysely and object spread differ in what they do with undefined, so absent fields are left out here. */
const toColumns = (patch: PropertyDefinitionPatch): Partial<DetailsRow> => ({
  ...(patch.description !== undefined && { description: patch.description ?? '' }),
  ...(patch.owner !== undefined && { owner_id: patch.owner }),
  ...(patch.tags !== undefined && { tags: json(toTags(patch.tags)) }),
  ...(patch.verified !== undefined && { verified: flag(patch.verified) }),
  ...(patch.hidden !== undefined && { hidden: flag(patch.hidden) }),
  ...(patch.property_type !== undefined && { property_type: patch.property_type }),
})

async function requireOwner(tx: Tx, projectId: number, owner: number): Promise<void> {
  const [user] = await listUsersWithAccess(tx, projectId, [owner])
  if (!user) throw invalid('owner', 'The owner is not a member of the project.', 'does_not_exist')
}

type LoggedState = Pick<
  DetailsRow,
  'description' | 'owner_id' | 'tags' | 'verified' | 'hidden' | 'property_type'
>

const options = {
  toItem: ({ id, name }: DetailsRow) => ({ id, name }),
  toLogged: ({ description, owner_id, tags, verified, hidden, property_type }: LoggedState) => ({
    description,
    owner: owner_id,
    tags: JSON.parse(tags) as unknown,
    verified: verified === 1,
    hidden: hidden === 1,
    property_type,
  }),
}

const eventLog = defineLog<DetailsRow, LoggedState>('EventDefinition', options)
const propertyLog = defineLog<DetailsRow, LoggedState>('PropertyDefinition', options)
