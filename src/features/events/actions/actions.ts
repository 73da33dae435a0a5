import type { Caller } from '#server/access/guard.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import { listUserTexts } from '#server/features/accounts/users/user-texts.ts'
import { defineLog } from '#server/features/activity/log.ts'
import { requireId } from '#server/http/ids.ts'
import { requireName } from '#server/http/names.ts'
import {
  type ActionRow,
  findAction,
  insertAction,
  listActionRows,
  listNamedActions,
  updateAction,
} from '../action-rows/store.ts'
import { findCohortOfAction } from '../cohorts/definitions.ts'
import { actionResource } from './fields.ts'
import type { Action, ActionCreate, ActionPatch, ActionQuery } from './schema.ts'
import { requireSteps } from './steps.ts'

interface ActionDeps {
  readonly db: Db
  readonly events: EventStore
}

const MAX_NAME = 400

export async function listActions(
  db: Db,
  { projectId }: Caller,
  query: ActionQuery,
  range: PageRange,
): Promise<Slice<Action>> {
  const { count, results } = await listActionRows(db, projectId, query, range)
  return { count, results: await toActions(db, results) }
}

/** Gets an action, even from the trash. */
export async function getActionRow(db: Db, { projectId }: Caller, id: string): Promise<ActionRow> {
  const row = await findAction(db, projectId, requireId(id, 'Action'))
  if (!row) throw notFound('Action')
  return row
}

export const getAction = async (db: Db, caller: Caller, id: string): Promise<Action> =>
  toAction(db, await getActionRow(db, caller, id))

export async function createAction(
  deps: ActionDeps,
  caller: Caller,
  body: ActionCreate,
): Promise<Action> {
  const { projectId, userId } = caller
  const name = requireName('name', body.name, MAX_NAME)
  const steps = await requireSteps(deps, projectId, body.steps ?? [])
  return changeProject(deps.db, projectId, async (tx) => {
    await requireFreeName(tx, projectId, name)
    const created = await insertAction(tx, {
      ...actionResource.empty,
      ...actionResource.toColumns({ ...body, name, steps }),
      project_id: projectId,
      created_by: userId,
      created_at: now(),
    })
    await log.logActivity(tx, caller, created, 'created')
    return toAction(tx, created)
  })
}

export async function patchAction(
  deps: ActionDeps,
  caller: Caller,
  { id, body }: { readonly id: string; readonly body: ActionPatch },
): Promise<Action> {
  const { projectId } = caller
  await getActionRow(deps.db, caller, id)
  const name = body.name === undefined ? undefined : requireName('name', body.name, MAX_NAME)
  const steps = body.steps && (await requireSteps(deps, projectId, body.steps))
  return changeProject(deps.db, projectId, async (tx) => {
    const before = await getActionRow(tx, caller, id)
    if (body.deleted && !before.deleted) await requireUnused(tx, before)
    const columns = actionResource.toColumns({ ...body, name, steps })
    const after = await updateAction(tx, before, columns)
    if (!after.deleted) await requireFreeName(tx, projectId, after.name, after.id)
    await log.logUpdate(tx, caller, { before, after }, log.listChanges(before, after))
    return toAction(tx, after)
  })
}

/** Actions are chosen by name, so no two have the same. An action in the trash frees its name. */
async function requireFreeName(tx: Tx, projectId: number, name: string, ownId = 0): Promise<void> {
  const rows = await listNamedActions(tx, projectId, name)
  const other = rows.find(({ id }) => id !== ownId)
  if (other) throw invalid('name', `Action ${other.id} has this name.`)
}

async function requireUnused(tx: Tx, { id, project_id }: ActionRow): Promise<void> {
  const cohort = await findCohortOfAction(tx, project_id, id)
  if (cohort) throw conflict(`Cohort ${cohort.id} ("${cohort.name}") uses this action.`)
}

const log = defineLog<ActionRow>('Action', {
  toItem: (action) => action,
  toLogged: actionResource.toLogged,
})

async function toAction(db: Db, row: ActionRow): Promise<Action> {
  return (await toActions(db, [row]))[0] as Action
}

async function toActions(db: Db, rows: readonly ActionRow[]): Promise<Action[]> {
  const creators = rows.map((row) => row.created_by)
  const users = await listUserTexts(db, creators)
  return rows.map((row) => actionResource.toItem(row, { users }))
}
