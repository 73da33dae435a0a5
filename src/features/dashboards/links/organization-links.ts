import { toInsightTitle } from '#model/insight-title.ts'
import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { findLink, type LinkRow, type LinkTarget } from '../link-store.ts'
import { type AnyLinkRow, type LinkFilter, listAllLinks, listLinksById } from './all-links-store.ts'
import { revokeLink, toLinks } from './links.ts'
import { getOwnerOf } from './owners.ts'
import type { OrganizationLink, PublicLink } from './schema.ts'

/** Lists the links of every project, for those who answer for what the organization publishes. */
export async function listOrganizationLinks(
  db: Db,
  filter: LinkFilter,
  range: PageRange,
): Promise<Slice<OrganizationLink>> {
  const { count, rows } = await listAllLinks(db, filter, range)
  const links = await toLinks(db, rows, ({ is_shared }) => is_shared === 1)
  const results = rows.map((row, at) => ({
    ...(links[at] as PublicLink),
    dashboard: toDashboard(row),
    insight: toInsight(row),
    project: { id: row.project_id, name: row.project_name },
  }))
  return { count, results }
}

const toDashboard = ({ dashboard_id: id, dashboard_name }: AnyLinkRow) =>
  id === null ? null : { id, name: dashboard_name ?? '' }

const toInsight = ({ insight_id: id, short_id, insight_name, derived_name }: AnyLinkRow) =>
  id === null
    ? null
    : { id, short_id: short_id ?? '', name: toInsightTitle({ name: insight_name, derived_name }) }

/** Revokes links of any projects, all or none. Returns how many there still were. */
export function revokeLinks(db: Db, caller: Caller, ids: readonly number[]): Promise<number> {
  return db.transaction().execute(async (tx) => {
    let revoked = 0
    for (const link of await listLinksById(tx, ids)) {
      const { id, project_id } = link
      await changeProject(tx, project_id, async () => {
        // read again: until the project was locked, someone else could revoke it
        const current = await findLink(tx, project_id, toTarget(link), id)
        if (!current) return
        const owner = await getOwnerOf(tx, { ...caller, projectId: project_id }, current)
        if (current.is_first && !owner.isShared) return
        await revokeLink(tx, owner, current)
        revoked++
      })
    }
    return revoked
  })
}

const toTarget = ({ dashboard_id, insight_id }: LinkRow): LinkTarget =>
  insight_id === null ? { dashboard_id: dashboard_id as number } : { insight_id }
