import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { findDashboard } from '../dashboards/store.ts'
import { findLink } from '../link-store.ts'
import { type LinkFilter, listAllLinks, listLinksById } from './all-links-store.ts'
import { revokeLink, toLinks } from './links.ts'
import type { OrganizationLink, PublicLink } from './schema.ts'

/** Lists the links of every project, for those who answer for what the organization publishes. */
export async function listOrganizationLinks(
  db: Db,
  filter: LinkFilter,
  range: PageRange,
): Promise<Slice<OrganizationLink>> {
  const { count, rows } = await listAllLinks(db, filter, range)
  const links = await toLinks(db, rows, (row) => row)
  const results = rows.map((row, at) => ({
    ...(links[at] as PublicLink),
    dashboard: { id: row.dashboard_id, name: row.dashboard_name },
    project: { id: row.project_id, name: row.project_name },
  }))
  return { count, results }
}

/** Revokes links of any projects, all or none. Returns how many there still were. */
export function revokeLinks(db: Db, caller: Caller, ids: readonly number[]): Promise<number> {
  return db.transaction().execute(async (tx) => {
    let revoked = 0
    for (const { id, project_id, dashboard_id } of await listLinksById(tx, ids)) {
      const owner = { ...caller, projectId: project_id }
      await changeProject(tx, project_id, async () => {
        const dashboard = await findDashboard(tx, owner, dashboard_id)
        // read again: until the project was locked, someone else could revoke it
        const link = await findLink(tx, project_id, dashboard_id, id)
        if (!dashboard || !link || (link.is_first && !dashboard.is_shared)) return
        await revokeLink(tx, owner, dashboard, link)
        revoked++
      })
    }
    return revoked
  })
}
