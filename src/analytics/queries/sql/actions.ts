import { listFilters } from '#model/actions.ts'
import type { SqlAction } from '#model/query-kinds/sql.schema.ts'
import { matchesNode, nodeColumns } from '../filters.ts'
import type { Context } from '../plan.ts'
import { sizeOfCohort } from './cohorts.ts'
import { locateColumn } from './columns.ts'
import { compile } from './compile-node.ts'
import { refuse, SQL_ATTR } from './errors.ts'
import type { ActionMatch, NameScope } from './scope.ts'
import { addSizes, ONE, timesSize } from './size.ts'
import { CALL_PARTS, childrenOf, type Node, readConstant, unknownPart } from './tree.ts'
import type { Expression } from './types.ts'

const FUNCTION = 'matchesaction'

/** The weight of comparing a property, which both databases read from JSON first. */
const COMPARISON = 5

/** Prepares the conditions of the actions that a text names. */
export const toActionMatches = (
  actions: readonly SqlAction[],
  context: Context,
): readonly ActionMatch[] =>
  actions.map(({ id, name, event, rules }) => ({
    ...{ id, name, column: `{action ${id}}`, hasSteps: rules.values.length > 0 },
    columns: nodeColumns({ rules }),
    size: addSizes(
      ONE,
      ...listFilters(rules).map(({ type, value }) =>
        type === 'cohort'
          ? sizeOfCohort(context.cohorts, Number(value))
          : timesSize(ONE, COMPARISON),
      ),
    ),
    matches: (table) => matchesNode(table, { event, rules }, context, SQL_ATTR),
  }))

/** Compiles `matchesAction(7)` to a column of the table of events, as `{filters}` is one. */
export function compileMatchesAction(
  name: string,
  node: Node,
  scope: NameScope,
): Expression | undefined {
  if (name !== FUNCTION) return undefined
  const [given, ...more] = childrenOf(node)
  const key = readConstant(given)
  const isKey = typeof key === 'number' || typeof key === 'string'
  if (!isKey || more.length > 0 || node.distinct || unknownPart(node, PARTS)) {
    throw refuse('matchesAction takes one action: its ID, or its name in quotes.')
  }
  const { column } = findAction(scope.context.actions, key)
  const reference: Node = { class: 'COLUMN_REF', type: 'COLUMN_REF', column_names: [column] }
  if (locateColumn(reference, scope)) return compile(reference, scope)
  throw refuse('matchesAction needs the table events in FROM.')
}

const PARTS = [...CALL_PARTS, 'order_bys', 'is_operator', 'export_state']

function findAction(actions: readonly ActionMatch[], key: number | string): ActionMatch {
  const action = actions.find(({ id, name }) => id === key || name === key)
  const shown = JSON.stringify(key).slice(0, 100)
  if (!action) throw refuse(`There is no action ${shown}. Write its ID or its name in quotes.`)
  if (action.hasSteps) return action
  throw refuse(`The action ${shown} has no steps.`)
}
