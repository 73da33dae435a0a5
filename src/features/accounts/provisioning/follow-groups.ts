import type { ProjectLevel } from '#model/levels.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { ORGANIZATION_LEVELS } from '../members/organization-levels.ts'
import { countOwners, deleteInvitesBy, updateLevel } from '../members/organization-members-store.ts'
import {
  clearCurrentProject,
  deleteMember,
  insertMember,
  listMemberships,
  type Membership,
  updateMember,
} from '../members/store.ts'
import { listProjectIds } from '../projects/store.ts'
import type { UserRow } from '../users/store.ts'

/** The level and projects of the members of a group of the identity provider. `*` is everybody. */
export interface GroupRule {
  readonly group: string
  readonly level: number
  /** The level of the members of the group in the projects. */
  readonly access: ProjectLevel
  readonly projects: readonly number[]
}

/** The difference between what a user has and what their groups give. */
interface GroupChange {
  readonly level: number
  readonly join: readonly Membership[]
  /** Memberships that get another level. */
  readonly change: readonly Membership[]
  readonly leave: readonly number[]
}

/** Returns undefined if the user already has what the groups give. */
export async function findGroupChange(
  db: Db,
  rules: readonly GroupRule[],
  user: UserRow,
  groups: readonly string[],
): Promise<GroupChange | undefined> {
  if (rules.length === 0) return undefined
  const matching = rules.filter(({ group }) => group === '*' || groups.includes(group))
  const level = await findLevel(db, rules, user, matching)
  const given = toMemberships(matching)
  const managed = new Set(rules.flatMap(({ projects }) => projects))
  const memberships = await listMemberships(db, user.id)
  const joined = new Map(memberships.map((each) => [each.project_id, each.access_level]))
  const existing = await listProjectIds(db)
  const join = given.filter(({ project_id: id }) => existing.includes(id) && !joined.has(id))
  const change = given.filter(
    ({ project_id: id, access_level }) => joined.has(id) && joined.get(id) !== access_level,
  )
  const kept = new Set(given.map(({ project_id }) => project_id))
  const leave = [...joined.keys()].filter((id) => managed.has(id) && !kept.has(id))
  const isSame = level === user.level && [...join, ...change, ...leave].length === 0
  return isSame ? undefined : { level, join, change, leave }
}

/** Gives the higher of several levels in a project. */
function toMemberships(rules: readonly GroupRule[]): Membership[] {
  const all = rules.flatMap(({ access, projects }) => projects.map((id) => ({ id, access })))
  const full = new Set(all.filter(({ access }) => access === 'member').map(({ id }) => id))
  return [...new Set(all.map(({ id }) => id))].map((id) => ({
    project_id: id,
    access_level: full.has(id) ? 'member' : 'viewer',
  }))
}

/** Takes no level away that no group gives, and not the level of the last owner. */
async function findLevel(
  db: Db,
  rules: readonly GroupRule[],
  { level: before }: UserRow,
  matching: readonly GroupRule[],
): Promise<number> {
  const given = Math.max(ORGANIZATION_LEVELS.member, ...matching.map(({ level }) => level))
  if (given >= before) return given
  if (!rules.some(({ level }) => level === before)) return before
  const isLastOwner = before === ORGANIZATION_LEVELS.owner && (await countOwners(db)) === 1
  return isLastOwner ? before : given
}

/** Gives a user the level and the projects of their groups, and takes away those of the other groups. */
export async function followGroups(
  tx: Tx,
  rules: readonly GroupRule[],
  user: UserRow,
  groups: readonly string[],
): Promise<void> {
  const change = await findGroupChange(tx, rules, user, groups)
  if (!change) return
  const { level, join, leave } = change
  if (level !== user.level) await updateLevel(tx, user.id, level)
  // their pending invites may grant a level that they can no longer grant
  if (level < user.level) await deleteInvitesBy(tx, user.id)
  for (const membership of join) await insertMember(tx, user.id, membership)
  for (const membership of change.change) await updateMember(tx, user.id, membership)
  for (const id of leave) {
    await deleteMember(tx, id, user.id)
    await clearCurrentProject(tx, id, user.id)
  }
}
