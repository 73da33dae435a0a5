import type { Principal } from '#server/access/keys.ts'
import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
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
  { enforce_2fa, ...fields }: OrganizationPatch,
): Promise<Organization> {
  const columns = organizationResource.toColumns(fields)
  return changeAccess(db, async (tx) => {
    const before = await getOrganizationRow(tx)
    const rule = enforce_2fa === undefined ? {} : toRule(before, enforce_2fa)
    await updateOrganization(tx, before, { ...columns, ...rule })
    return getOrganization(tx, principal)
  })
}

/** Setting the rule again does not start the grace period again. */
const toRule = (before: OrganizationRow, isRequired: boolean) => ({
  second_factor_required_at: isRequired ? (before.second_factor_required_at ?? now()) : null,
})
