/** The cost of planning a part of a statement. */
export interface PlanSize {
  /** The size of the SQL if every name of WITH and every column of a subquery were replaced by what it stands for. */
  readonly weight: number
  /** The number of nodes that DuckDB's planner visits. It visits whatever is below a group or a window twice. */
  readonly effort: number
}

export const ONE: PlanSize = { weight: 1, effort: 1 }

/** Leaves everything else of a part out. */
export const toSize = ({ weight, effort }: PlanSize): PlanSize => ({ weight, effort })

export const addSizes = (...sizes: readonly PlanSize[]): PlanSize => ({
  weight: sizes.reduce((sum, { weight }) => sum + weight, 0),
  effort: sizes.reduce((sum, { effort }) => sum + effort, 0),
})

export const timesSize = ({ weight, effort }: PlanSize, times: number): PlanSize => ({
  weight: weight * times,
  effort: effort * times,
})
