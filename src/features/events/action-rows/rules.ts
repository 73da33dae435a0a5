import { type ActionRules, toActionRules } from '#model/actions.ts'
import type { SqlAction } from '#model/query-kinds/sql.schema.ts'
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
  /** Lists those that exist, for SQL, which names some in strings and comments only. */
  list(keys: readonly ActionKey[]): SqlAction[]
}

/** The ID of an action, or in SQL perhaps its name. */
export type ActionKey = number | string

/** Loads the actions with these IDs and names. */
export async function loadActions(
  db: Db,
  projectId: number,
  keys: readonly ActionKey[],
): Promise<NamedActions> {
  const rows = keys.length === 0 ? [] : await findLiveActions(db, projectId, [...new Set(keys)])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return {
    get(id, attr) {
      const row = byId.get(id)
      if (!row) throw invalid(attr, `Action ${id} does not exist.`, 'does_not_exist')
      const steps = JSON.parse(row.steps)
      if (steps.length === 0) throw invalid(attr, `Action ${id} ("${row.name}") has no steps.`)
      return { name: row.name, ...toActionRules(steps) }
    },
    list: (named) =>
      rows
        .filter(({ id, name }) => named.includes(id) || named.includes(name))
        .map(({ id, name, steps }) => ({ id, name, ...toActionRules(JSON.parse(steps)) })),
  }
}
