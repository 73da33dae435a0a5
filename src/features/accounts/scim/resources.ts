import type { Slice } from '#server/db/page-range.ts'
import type { GroupMember, ScimGroupRow } from './groups-store.ts'
import { nameOf } from './users.ts'
import type { ScimUser } from './users-store.ts'

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

type Resource = Readonly<Record<string, unknown>>

/** `base`: the public address of `/scim/v2`. */
export function toUserResource(found: ScimUser, base: string): Resource {
  const { user, scim } = found
  const { uuid: id, first_name, last_name, email, created_at } = user
  const name = `${first_name} ${last_name}`.trim()
  return {
    schemas: [USER],
    id,
    ...(scim?.external_id && { externalId: scim.external_id }),
    userName: nameOf(found),
    name: { givenName: first_name, familyName: last_name, formatted: name },
    displayName: name || email,
    emails: [{ value: email, type: 'work', primary: true }],
    active: user.removed_at === null,
    meta: { resourceType: 'User', created: created_at, location: `${base}/Users/${id}` },
  }
}

export const toGroupResource = (
  { id, display_name, external_id, created_at }: ScimGroupRow,
  members: readonly GroupMember[],
  base: string,
): Resource => ({
  schemas: [GROUP],
  id,
  ...(external_id && { externalId: external_id }),
  displayName: display_name,
  members: members
    .filter(({ group_id }) => group_id === id)
    .map(({ uuid, email }) => ({ value: uuid, display: email, $ref: `${base}/Users/${uuid}` })),
  meta: { resourceType: 'Group', created: created_at, location: `${base}/Groups/${id}` },
})

export const toList = ({ count, results }: Slice<Resource>, offset: number): Resource => ({
  schemas: [LIST],
  totalResults: count,
  startIndex: offset + 1,
  itemsPerPage: results.length,
  Resources: results,
})

/** The parameters that choose which attributes a response has. */
export interface Choice {
  readonly attributes?: string
  readonly excludedAttributes?: string
}

const ALWAYS = new Set(['schemas', 'id'])

/** Keeps the named attributes of the top level, or drops them. */
export function chooseAttributes(resource: Resource, choice: Choice): Resource {
  const [only, without] = [toNames(choice.attributes), toNames(choice.excludedAttributes)]
  const isShown = (name: string) =>
    ALWAYS.has(name) ||
    ((only.size === 0 || only.has(name.toLowerCase())) && !without.has(name.toLowerCase()))
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isShown(name)))
}

export const leavesOut = (name: string, { attributes, excludedAttributes }: Choice): boolean =>
  toNames(excludedAttributes).has(name) ||
  (toNames(attributes).size > 0 && !toNames(attributes).has(name))

const toNames = (list = ''): ReadonlySet<string> =>
  new Set(list.split(',').flatMap((name) => name.trim().toLowerCase().split('.', 1)[0] || []))
