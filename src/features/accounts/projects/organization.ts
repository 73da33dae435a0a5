import type { Principal } from '#server/access/keys.ts'
import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { conflict } from '#server/errors.ts'
import { requireName } from '#server/http/names.ts'
import type { Organization } from './schema.ts'
import { findOrganization, updateOrganization } from './store.ts'

/** Throws before the first start, which creates the organization. */
export async function getOrganizationRow(db: Db): Promise<{ id: string; name: string }> {
  const organization = await findOrganization(db)
  if (organization) return organization
  throw conflict('The server has not been set up yet.')
}

export async function getOrganization(db: Db, principal: Principal): Promise<Organization> {
  return toOrganization(await getOrganizationRow(db), principal.level)
}

export const toOrganization = (
  { id, name }: { readonly id: string; readonly name: string },
  level: number,
): Organization => ({ id, name, slug: toSlug(name), membership_level: level })

const toSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mark}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'organization'

export function patchOrganization(
  db: Db,
  principal: Principal,
  name: string,
): Promise<Organization> {
  const validName = requireName('name', name, 100)
  return changeAccess(db, async (tx) => {
    await updateOrganization(tx, validName)
    return getOrganization(tx, principal)
  })
}
