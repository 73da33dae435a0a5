import { sql } from 'kysely'
import type { PageRange } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { containsText } from '#server/db/search-key.ts'
import type { LinkRow } from '../link-store.ts'

export interface LinkFilter {
  /** A text in the name, description or tags of the dashboard. */
  readonly search?: string | undefined
  readonly projectId?: number | undefined
}

/** Lists the links of all projects that are not turned off, the newest first. */
export async function listAllLinks(
  db: Db,
  { search, projectId }: LinkFilter,
  { limit, offset }: PageRange,
) {
  let found = db
    .selectFrom('share_links')
    .innerJoin('dashboards', 'dashboards.id', 'share_links.dashboard_id')
    .innerJoin('projects', 'projects.id', 'share_links.project_id')
    .where('dashboards.deleted', '=', 0)
    .where((eb) => eb.or([eb('is_first', '=', 0), eb('is_shared', '=', 1)]))
  if (projectId !== undefined) found = found.where('share_links.project_id', '=', projectId)
  if (search) found = found.where(containsText(sql.ref('dashboards.search_key'), search))
  const { count } = await found
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await found
    .selectAll('share_links')
    .select([
      'dashboards.name as dashboard_name',
      'dashboards.is_shared',
      'projects.name as project_name',
    ])
    .orderBy('share_links.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { count: Number(count), rows }
}

/** Lists links by their IDs, those of one project together. */
export const listLinksById = (db: Db, ids: readonly number[]): Promise<LinkRow[]> =>
  db
    .selectFrom('share_links')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('project_id')
    .orderBy('id')
    .execute()
