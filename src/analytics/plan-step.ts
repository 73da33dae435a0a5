import type { Sql, StatementRow } from './event-table.ts'

/** The kind of work of one step of a plan. */
export type PlanWork = 'read' | 'filter' | 'join' | 'group' | 'window' | 'sort' | 'compute'

export interface PlanStep {
  readonly work: PlanWork
  /** The rows that it read from a table; 0 for steps that read none. */
  readonly rowsRead: number
  /** The time that it took without the steps before it. */
  readonly milliseconds: number
}

/** Runs a statement on one engine in a way that tells what it did. */
export interface Explain {
  wrap(statement: Sql): Sql
  toSteps(rows: readonly StatementRow[]): PlanStep[]
}

/** Finds the work whose pattern the name of a step matches. */
export const toWork = (name: string, works: readonly (readonly [RegExp, PlanWork])[]): PlanWork =>
  works.find(([pattern]) => pattern.test(name))?.[1] ?? 'compute'
