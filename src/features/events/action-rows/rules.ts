import { type ActionRules, toActionRules } from '#model/actions.ts'
import type { Db } from '#server/db/schema.ts'
import { invalid } from '#server/errors.ts'
import { findLiveActions } from './store.ts'

/** An action that a query or a cohort names, and what its steps stand for. */
export interface NamedAction extends ActionRules {
  readonly name: string
}

export interface NamedActions {
  /** Throws if there is no such action; `attr` names the field with its ID. */
  get(id: number, attr: string): NamedAction
}

/** Loads the actions with these IDs. */
export async function loadActions(
  db: Db,
  projectId: number,
  ids: readonly number[],
): Promise<NamedActions> {
  const rows = ids.length === 0 ? [] : await findLiveActions(db, projectId, [...new Set(ids)])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return {
    get(id, attr) {
      const row = byId.get(id)
      if (!row) throw invalid(attr, `Action ${id} does not exist.`, 'does_not_exist')
      const steps = JSON.parse(row.steps)
      if (steps.length === 0) throw invalid(attr, `Action ${id} ("${row.name}") has no steps.`)
      return { name: row.name, ...toActionRules(steps) }
    },
  }
}
