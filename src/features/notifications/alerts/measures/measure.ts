/** Finds the one number of a result that an alert compares with its threshold. */
export type Measure = (
  results: readonly unknown[],
  options: MeasureOptions,
) => AlertValue | AlertProblem

export interface MeasureOptions {
  readonly interval: string
  /** The project's time zone. */
  readonly zone: string
  readonly computedAt: string
  readonly seriesIndex: number
  /** Uses the current interval, whose value may still grow. */
  readonly includeCurrent: boolean
}

export interface AlertValue {
  readonly value: number
  /** The values of the complete intervals before, oldest first, or that of the previous period. */
  readonly earlier: readonly number[]
  /** The numbers of intervals after which values repeat, longest first. */
  readonly seasons?: readonly number[]
}

/** The reason why an alert cannot be checked. */
export interface AlertProblem {
  readonly problem: string
}
