import { ScimError } from './errors.ts'
import { stripSchema } from './filter.ts'
import { type PatchStep, unknownPath } from './patch.ts'
import {
  type Attributes,
  isObject,
  quote,
  requireFlag,
  requireObject,
  requireText,
  toOptionalText,
} from './values.ts'

/** Attributes to change; undefined: unchanged. */
export interface UserChanges {
  userName?: string
  externalId?: string | null
  active?: boolean
  firstName?: string
  lastName?: string
  /** null: the user name is the address. */
  email?: string | null
}

const MAX_USER_NAME = 254
const MAX_NAME = 150
export const MAX_EXTERNAL_ID = 255
const MAX_EMAILS = 100

/** Attributes of RFC 7643 that identity providers send and this server does not keep. */
const NOT_KEPT = new Set(
  [
    ...['schemas', 'id', 'meta', 'groups', 'nickName', 'profileUrl', 'title', 'userType'],
    ...['preferredLanguage', 'locale', 'timezone', 'phoneNumbers', 'ims', 'photos', 'addresses'],
    ...['entitlements', 'roles', 'x509Certificates', 'displayName', 'name.formatted'],
    ...['name.middleName', 'name.honorificPrefix', 'name.honorificSuffix'],
  ].map((name) => name.toLowerCase()),
)
const ENTERPRISE = /^urn:ietf:params:scim:schemas:extension:enterprise:2\.0:user\b/i
/** `[type eq "work"]` and parts of it, which providers put behind the names above. */
const SELECTION = /^([\w.]+?)(\[[^\]]*\])?(?:\.(\w+))?$/

/** Reads a whole user. What is missing is cleared, except whether the user is active. */
export function readUser(body: unknown): UserChanges {
  const attributes = requireObject('The body', body)
  const changes: UserChanges = { externalId: null, firstName: '', lastName: '', email: null }
  for (const [name, value] of Object.entries(attributes)) {
    if (!applyToUser(changes, 'add', name, value)) {
      throw new ScimError('invalidSyntax', `The attribute ${quote(name)} is not supported.`)
    }
  }
  if (changes.userName === undefined) throw new ScimError('invalidValue', 'userName is required.')
  if (!changes.firstName && !changes.lastName) changes.firstName = toDisplayName(attributes)
  return changes
}

/** Reads the steps of a PATCH. */
export function readUserPatch(steps: readonly PatchStep[]): UserChanges {
  const changes: UserChanges = {}
  for (const { op, path, value } of steps) {
    if (!applyToUser(changes, op, path, op === 'remove' ? null : value)) throw unknownPath(path)
  }
  return changes
}

/** Returns false for a path that is not known. */
function applyToUser(
  changes: UserChanges,
  op: PatchStep['op'],
  writtenPath: string,
  value: unknown,
): boolean {
  const path = stripSchema(writtenPath.trim())
  switch (path.toLowerCase()) {
    case 'username':
      changes.userName = requireText('userName', value, MAX_USER_NAME)
      if (changes.userName === '') throw new ScimError('invalidValue', 'userName is empty.')
      return true
    case 'externalid':
      changes.externalId = toOptionalText('externalId', value, MAX_EXTERNAL_ID) || null
      return true
    case 'active':
      changes.active = requireFlag('active', value)
      return true
    case 'name':
      if (value === null) Object.assign(changes, { firstName: '', lastName: '' })
      else applyEach(changes, op, 'name', requireObject('name', value))
      return true
    case 'name.givenname':
      changes.firstName = toOptionalText('name.givenName', value, MAX_NAME)
      return true
    case 'name.familyname':
      changes.lastName = toOptionalText('name.familyName', value, MAX_NAME)
      return true
    case 'emails':
      changes.email = value === null ? null : pickEmail(value)
      return true
    default:
      return applyToEmail(changes, path, value) || isNotKept(path)
  }
}

function applyEach(
  changes: UserChanges,
  op: PatchStep['op'],
  parent: string,
  inner: Attributes,
): void {
  for (const [name, value] of Object.entries(inner)) {
    const path = `${parent}.${name}`
    if (!applyToUser(changes, op, path, value)) throw unknownPath(path)
  }
}

const MAIN_EMAIL = /^emails(?:\[(?:type eq "work"|primary eq (?:true|"true"))\])?\.?(value)?$/i
const OTHER_PART =
  /^emails\[(?:type eq "work"|primary eq (?:true|"true"))\]\.(?:type|primary|display)$/i

function applyToEmail(changes: UserChanges, path: string, value: unknown): boolean {
  if (OTHER_PART.test(path)) return true
  if (!MAIN_EMAIL.test(path)) return false
  const email = isObject(value) ? value.value : value
  changes.email = toOptionalText('emails', email, MAX_USER_NAME) || null
  return true
}

function isNotKept(path: string): boolean {
  if (ENTERPRISE.test(path)) return true
  const [, name = ''] = SELECTION.exec(path) ?? []
  return NOT_KEPT.has(path.toLowerCase()) || NOT_KEPT.has(name.toLowerCase())
}

/** Takes the primary address, or else that of work, or else the first. */
function pickEmail(value: unknown): string | null {
  const list = Array.isArray(value) ? value : [value]
  if (list.length > MAX_EMAILS) throw new ScimError('invalidValue', 'There are too many emails.')
  const emails = list.map((item) => requireObject('An item of emails', item))
  const main =
    emails.find(({ primary }) => String(primary).toLowerCase() === 'true') ??
    emails.find(({ type }) => type === 'work') ??
    emails[0]
  return main ? toOptionalText('emails', main.value, MAX_USER_NAME) || null : null
}

function toDisplayName(attributes: Attributes): string {
  const entry = Object.entries(attributes).find(([name]) => name.toLowerCase() === 'displayname')
  return toOptionalText('displayName', entry?.[1], MAX_NAME)
}
