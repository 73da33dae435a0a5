import type { Principal } from '#server/access/keys.ts'
import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { requireName } from '#server/http/names.ts'
import { getOrganizationRow } from './projects.ts'
import type { Organization } from './schema.ts'
import { updateOrganization } from './store.ts'

export async function getOrganization(db: Db, principal: Principal): Promise<Organization> {
  const { id, name } = await getOrganizationRow(db)
  return { id, name, membership_level: principal.level }
}

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
