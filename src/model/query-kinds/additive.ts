/** Aggregations that can be summed: the values of disjoint sets of events add up to the value of their union. */
const ADDITIVE: readonly unknown[] = ['total', 'first_time_for_user', 'sum']

/** A person, session or group can belong to several parts, and averages, extremes and percentiles are no sums. */
export const isAdditive = (math: unknown): boolean => ADDITIVE.includes(math ?? 'total')

interface Part {
  /** null for a formula and for SQL, whose numbers can be anything. */
  readonly action: { readonly math: string } | null
  readonly breakdown_label?: string
}

/** Tells whether the numbers of series may be added up. Cohorts, which have labels, share persons. */
export const addsUp = (parts: readonly Part[]): boolean =>
  parts.every(
    ({ action, breakdown_label }) =>
      action !== null && isAdditive(action.math) && breakdown_label === undefined,
  )
