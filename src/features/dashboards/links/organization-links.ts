import type { Caller } from '#server/access/guard.ts'
import { changeProject, changeUncached } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { findLinkPolicy } from '#server/features/accounts/projects/store.ts'
import { listUserTexts } from '#server/features/accounts/users/user-texts.ts'
import { findDashboard } from '../dashboards/store.ts'
import { type LinkFilter, listAllLinks, listLinksById } from './all-links-store.ts'
import { linkResource } from './fields.ts'
import { revokeLink } from './links.ts'
import type { OrganizationLink } from './schema.ts'

/** Lists the links of every project, for those who answer for what the organization publishes. */
export async function listOrganizationLinks(
  db: Db,
  filter: LinkFilter,
  range: PageRange,
): Promise<Slice<OrganizationLink>> {
  const { count, rows } = await listAllLinks(db, filter, range)
  const users = await listUserTexts(
    db,
    rows.map((row) => row.created_by),
  )
  const policy = await findLinkPolicy(db)
  const results = rows.map((row) => ({
    ...linkResource.toItem(row, { users, policy, isShared: row.is_shared === 1 }),
    dashboard: { id: row.dashboard_id, name: row.dashboard_name },
    project: { id: row.project_id, name: row.project_name },
  }))
  return { count, results }
}

/** Revokes links of any projects, all or none. Returns how many there still were. */
export function revokeLinks(db: Db, caller: Caller, ids: readonly number[]): Promise<number> {
  return changeUncached(db, async (tx) => {
    const links = await listLinksById(tx, ids)
    let revoked = 0
    for (const link of links) {
      const owner = { ...caller, projectId: link.project_id }
      await changeProject(tx, link.project_id, async () => {
        const dashboard = await findDashboard(tx, owner, link.dashboard_id)
        if (!dashboard || (link.is_first && !dashboard.is_shared)) return
        await revokeLink(tx, owner, dashboard, link)
        revoked++
      })
    }
    return revoked
  })
}
