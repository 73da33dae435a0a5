import { toUuid } from '#server/http/ids.ts'
import { ScimError } from './errors.ts'
import { stripSchema } from './filter.ts'
import { type PatchStep, unknownPath } from './patch.ts'
import { MAX_EXTERNAL_ID } from './user-changes.ts'
import { quote, requireObject, requireText, toOptionalText } from './values.ts'

/** Attributes to change; undefined: unchanged. */
export interface GroupChanges {
  displayName?: string
  externalId?: string | null
  /** Changes of the members one after another: lists of the IDs of users. */
  members: readonly MemberStep[]
}

export interface MemberStep {
  readonly op: 'add' | 'replace' | 'remove'
  readonly ids: readonly string[]
}

const MAX_DISPLAY_NAME = 255
const MAX_MEMBERS = 10_000
const NOT_KEPT = /^(schemas|id|meta)$/i
const ONE_MEMBER = /^members\[\s*value\s+eq\s+"([^"]*)"\s*\]$/i

/** Reads a whole group: whom it does not name is no member. */
export function readGroup(body: unknown): GroupChanges {
  const changes: GroupChanges = { externalId: null, members: [{ op: 'replace', ids: [] }] }
  for (const [name, value] of Object.entries(requireObject('The body', body))) {
    if (!applyToGroup(changes, { op: 'replace', path: name, value })) {
      throw new ScimError('invalidSyntax', `The attribute ${quote(name)} is not supported.`)
    }
  }
  if (changes.displayName === undefined) {
    throw new ScimError('invalidValue', 'displayName is required.')
  }
  return changes
}

/** Reads the steps of a PATCH. */
export function readGroupPatch(steps: readonly PatchStep[]): GroupChanges {
  const changes: GroupChanges = { members: [] }
  for (const step of steps) {
    if (!applyToGroup(changes, step)) throw unknownPath(step.path)
  }
  return changes
}

/** Returns false for a path that is not known. */
function applyToGroup(changes: GroupChanges, { op, path: written, value }: PatchStep): boolean {
  const path = stripSchema(written.trim())
  switch (path.toLowerCase()) {
    case 'displayname':
      changes.displayName = requireText('displayName', value, MAX_DISPLAY_NAME)
      if (changes.displayName === '') throw new ScimError('invalidValue', 'displayName is empty.')
      return true
    case 'externalid':
      changes.externalId =
        op === 'remove' ? null : toOptionalText('externalId', value, MAX_EXTERNAL_ID) || null
      return true
    case 'members': {
      const isAll = op === 'remove' && (value === undefined || value === null)
      const step = isAll ? { op: 'replace' as const, ids: [] } : { op, ids: toIds(value) }
      changes.members = [...changes.members, step]
      return true
    }
    default: {
      const [, id] = ONE_MEMBER.exec(path) ?? []
      if (id === undefined || op !== 'remove') return NOT_KEPT.test(path)
      changes.members = [...changes.members, { op, ids: [toId(id)] }]
      return true
    }
  }
}

function toIds(value: unknown): readonly string[] {
  const list = value === null ? [] : Array.isArray(value) ? value : [value]
  if (list.length > MAX_MEMBERS) {
    throw new ScimError('invalidValue', `Send at most ${MAX_MEMBERS} members at a time.`)
  }
  return list.map((item) => toId(requireObject('An item of members', item).value))
}

function toId(value: unknown): string {
  const uuid = typeof value === 'string' ? toUuid(value) : undefined
  if (uuid) return uuid
  throw new ScimError('invalidValue', `members: ${quote(String(value))} is not the id of a user.`)
}
