/** A statement to plan, and the tables that it reads. */
export interface PlanningTask {
  /** Creates the tables. */
  readonly tables: readonly string[]
  readonly statement: string
  readonly parameters: readonly unknown[]
}

export interface PlanningLimits {
  /** The CPU time in milliseconds. */
  readonly cpuMs: number
  /** The memory in bytes that the process may grow by. */
  readonly growth: number
}

/** A statement that cannot be planned for another reason counts as planned: running it returns the error. */
export type Planned = 'planned' | 'too much time' | 'too much memory'
