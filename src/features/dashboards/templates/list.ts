import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { listUsersById } from '#server/features/people/users/store.ts'
import { BUILT_IN, type BuiltInTemplate } from './built-in.ts'
import { toBuiltInRepresentation, toRepresentation } from './representation.ts'
import type { DashboardTemplate, TemplateQuery } from './schema.ts'
import { listTemplateRows } from './store.ts'

type Filters = Omit<TemplateQuery, keyof PageRange>

/** The built-in ones, then the project's own. */
export async function listTemplates(
  db: Db,
  projectId: number,
  { search = '', scope, deleted = false }: Filters,
  { limit, offset }: PageRange,
): Promise<Slice<DashboardTemplate>> {
  const builtIn = deleted || !isIn(scope, 'global') ? [] : BUILT_IN.filter(mentions(search))
  const shown = builtIn.slice(offset, offset + limit)
  const own = isIn(scope, 'team')
    ? await listTemplateRows(
        db,
        projectId,
        { search, deleted },
        { limit: limit - shown.length, offset: Math.max(0, offset - builtIn.length) },
      )
    : { count: 0, results: [] }
  const people = await listUsersById(
    db,
    own.results.map((row) => row.created_by),
  )
  return {
    count: builtIn.length + own.count,
    results: [
      ...shown.map(toBuiltInRepresentation),
      ...own.results.map((row) => toRepresentation(row, people)),
    ],
  }
}

const isIn = (asked: Filters['scope'], scope: Filters['scope']): boolean =>
  asked === undefined || asked === scope

const mentions =
  (search: string) =>
  ({ template: { name, description, tags } }: BuiltInTemplate): boolean =>
    [name, description, ...tags].join('\n').toLowerCase().includes(search.toLowerCase())
