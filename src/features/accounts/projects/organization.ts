import type { Principal } from '#server/access/keys.ts'
import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { conflict } from '#server/errors.ts'
import { organizationResource } from './organization-fields.ts'
import type { Organization, OrganizationPatch } from './schema.ts'
import { findOrganization, type OrganizationRow, updateOrganization } from './store.ts'

/** Throws before the first start, which creates the organization. */
export async function getOrganizationRow(db: Db): Promise<OrganizationRow> {
  const organization = await findOrganization(db)
  if (organization) return organization
  throw conflict('The server has not been set up yet.')
}

export const getOrganization = async (db: Db, { level }: Principal): Promise<Organization> =>
  organizationResource.toItem(await getOrganizationRow(db), { level })

export function patchOrganization(
  db: Db,
  principal: Principal,
  body: OrganizationPatch,
): Promise<Organization> {
  const columns = organizationResource.toColumns(body)
  return changeAccess(db, async (tx) => {
    await updateOrganization(tx, await getOrganizationRow(tx), columns)
    return getOrganization(tx, principal)
  })
}
