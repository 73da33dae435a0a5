import { duration, fullNumber, percent } from './format.ts'

/** One headline figure of web analytics, in PostHog's shape. */
export interface WebFigure {
  readonly key: 'visitors' | 'views' | 'sessions' | 'session duration' | 'bounce rate'
  readonly kind: 'unit' | 'duration_s' | 'percentage'
  /** Seconds, percent or a number; null without visits. */
  readonly value: number | null
  /** Null if the query compares with no period. */
  readonly previous: number | null
  readonly changeFromPreviousPct: number | null
  readonly isIncreaseBad?: true
}

export const FIGURE_LABELS: Readonly<Record<WebFigure['key'], string>> = {
  visitors: 'Visitors',
  views: 'Page views',
  sessions: 'Visits',
  'session duration': 'Visit duration',
  'bounce rate': 'Bounce rate',
}

/** Formats a value of a figure; a dash without one. */
export function formatFigure(kind: WebFigure['kind'], value: number | null): string {
  if (value === null) return '–'
  if (kind === 'duration_s') return duration(Math.round(value))
  return kind === 'percentage' ? percent(value / 100) : fullNumber(value)
}

/** A number of the current period, and that of the previous one. */
export type NowAndBefore = readonly [number | null, number | null]

export const isPair = (cell: unknown): cell is NowAndBefore => Array.isArray(cell)
