import type { Caller } from '#server/access/guard.ts'
import { requireScope } from '#server/access/requirements.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import {
  type Cohort as Definition,
  requireSound,
  UNSAVED,
} from '#server/analytics/queries/cohort-definitions.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import { toChange } from '#server/features/activity/store.ts'
import { requireId } from '#server/http/ids.ts'
import { requireName } from '#server/http/names.ts'
import { countPersons } from '../person-rows/store.ts'
import { cohortLog } from './activity.ts'
import { requireFilters } from './check-filters.ts'
import {
  countCohort,
  loadCohorts,
  mapCohorts,
  namedBy,
  resolveActions,
  toCohort,
} from './definitions.ts'
import { cohortResource } from './fields.ts'
import { addMembers, findMembers } from './members.ts'
import type { CohortMember } from './members-store.ts'
import { toRepresentations } from './representation.ts'
import type { Cohort, CohortCreate, CohortPatch, CohortQuery } from './schema.ts'
import {
  type CohortRow,
  findCohort,
  insertCohort,
  listCohortRows,
  listLiveCohorts,
  updateCohort,
} from './store.ts'

export interface CohortDeps {
  readonly db: Db
  readonly events: EventStore
}

const MAX_NAME = 400

export async function listCohorts(
  deps: CohortDeps,
  { projectId }: Caller,
  query: CohortQuery,
  range: PageRange,
): Promise<Slice<Cohort>> {
  const { count, results } = await listCohortRows(deps.db, projectId, query, range)
  return { count, results: await toResponses(deps, projectId, results) }
}

/** Gets a cohort, even from the trash. */
export async function getCohortRow(db: Db, { projectId }: Caller, id: string): Promise<CohortRow> {
  const row = await findCohort(db, projectId, requireId(id, 'Cohort'))
  if (!row) throw notFound('Cohort')
  return row
}

export async function getCohort(deps: CohortDeps, caller: Caller, id: string): Promise<Cohort> {
  return toCohortResponse(deps, await getCohortRow(deps.db, caller, id))
}

/** Adds `moreMembers` to those that the body names. */
export async function createCohort(
  deps: CohortDeps,
  caller: Caller,
  body: CohortCreate,
  moreMembers: readonly CohortMember[] = [],
): Promise<Cohort> {
  const { projectId, userId } = caller
  const name = requireName('name', body.name, MAX_NAME)
  const isStatic = body.is_static ?? false
  const filters = isStatic ? {} : await requireRunnable(deps, caller, UNSAVED, body.filters)
  if (!isStatic) requireNoMembers(body)
  const members = isStatic
    ? [...moreMembers, ...(await findMembers(deps.events, projectId, body))]
    : []
  const row = await changeProject(deps.db, projectId, async (tx) => {
    if (!isStatic) await requireSoundCohort(tx, projectId, UNSAVED, filters)
    const created = await insertCohort(tx, {
      ...cohortResource.empty,
      ...cohortResource.toColumns({ ...body, name, filters }),
      project_id: projectId,
      created_by: userId,
      created_at: now(),
    })
    await addMembers(tx, created, members)
    await cohortLog.logActivity(tx, caller, created, 'created')
    return created
  })
  return toCohortResponse(deps, row)
}

export async function patchCohort(
  deps: CohortDeps,
  caller: Caller,
  { id, body }: { readonly id: string; readonly body: CohortPatch },
): Promise<Cohort> {
  const { projectId } = caller
  const current = await getCohortRow(deps.db, caller, id)
  const isStatic = current.is_static === 1
  if (isStatic && body.filters) throw invalid('filters', 'A static cohort has no filters.')
  if (!isStatic) requireNoMembers(body)
  const filters = body.filters && (await requireRunnable(deps, caller, current.id, body.filters))
  const members = isStatic ? await findMembers(deps.events, projectId, body) : []
  const row = await changeProject(deps.db, projectId, async (tx) => {
    const before = await getCohortRow(tx, caller, id)
    if (filters) await requireSoundCohort(tx, projectId, before.id, filters)
    if (body.deleted && !before.deleted) await requireUnused(tx, before)
    await addMembers(tx, before, members)
    const name = body.name === undefined ? undefined : requireName('name', body.name, MAX_NAME)
    const columns = cohortResource.toColumns({ ...body, name, filters })
    const after = await updateCohort(tx, before, columns)
    await cohortLog.logUpdate(tx, caller, { before, after }, [
      ...cohortLog.listChanges(before, after),
      ...(members.length > 0 ? [toChange('Cohort', 'members', null, members.length)] : []),
    ])
    return after
  })
  return toCohortResponse(deps, row)
}

/** Checks filters by counting their persons, so that errors occur now and not when the cohort is used. */
async function requireRunnable(
  deps: CohortDeps,
  caller: Caller,
  id: number,
  given: object | undefined,
): Promise<{ readonly properties: unknown }> {
  const filters = { properties: requireFilters(given) }
  requireScope(caller, 'query:read') // counts reveal events, as the results of queries do
  await countFilters(deps, caller, id, filters)
  return filters
}

/** Counts the persons who match the conditions of a cohort that need not exist yet. */
export async function countUnsaved(
  deps: CohortDeps,
  caller: Caller,
  given: object,
): Promise<{ readonly count: number }> {
  const filters = { properties: requireFilters(given) }
  return { count: await countFilters(deps, caller, UNSAVED, filters) }
}

async function countFilters(
  deps: CohortDeps,
  { projectId }: Caller,
  id: number,
  filters: object,
): Promise<number> {
  const cohorts = await requireSoundCohort(deps.db, projectId, id, filters)
  return countCohort(deps, projectId, id, cohorts)
}

async function requireSoundCohort(
  db: Db,
  projectId: number,
  id: number,
  filters: object,
): Promise<ReadonlyMap<number, Definition>> {
  const { properties } = filters as { properties: ReturnType<typeof requireFilters> }
  const group = await resolveActions(db, projectId, properties, 'filters__properties')
  const cohort: Definition = { id, name: '', definition: { group } }
  const cohorts = new Map(await loadCohorts(db, projectId, namedBy(cohort))).set(id, cohort)
  requireSound(cohorts, id, 'filters')
  return cohorts
}

function requireNoMembers(body: CohortCreate | CohortPatch): void {
  const fields = ['distinct_ids', '_create_static_person_ids', 'query'] as const
  const field = fields.find((key) => key in body)
  if (field) throw invalid(field, 'Only a static cohort has a list of members.')
}

async function requireUnused(tx: Tx, { id, project_id }: CohortRow): Promise<void> {
  for (const row of await listLiveCohorts(tx, project_id)) {
    if (row.is_static || row.id === id) continue
    if (namedBy(await toCohort(tx, row)).includes(id)) {
      throw conflict(`Cohort ${row.id} ("${row.name}") uses this cohort.`)
    }
  }
}

export async function toCohortResponse(deps: CohortDeps, row: CohortRow): Promise<Cohort> {
  return (await toResponses(deps, row.project_id, [row]))[0] as Cohort
}

/** Counts the persons of each cohort outside the trash. */
async function toResponses(
  { db, events }: CohortDeps,
  projectId: number,
  rows: readonly CohortRow[],
): Promise<Cohort[]> {
  const counted = await mapCohorts(db, projectId, rows, async (row, persons) => ({
    row,
    count: row.deleted ? null : await countPersons(events, projectId, persons),
  }))
  return toRepresentations(db, counted)
}
