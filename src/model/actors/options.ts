import { toLabel } from '../format.ts'
import { fieldsOf, type JsonObject, listOf } from '../json.ts'
import { findKind } from '../query-kinds/index.ts'
import { shownValue } from '../series-names.ts'

interface Option {
  readonly label: string
  readonly value: string | number
}

/** The values with which a query for persons can choose a number of a result; null for a field that chooses nothing. */
export interface ActorOptions {
  readonly day: readonly Option[] | null
  readonly status: readonly Option[] | null
  readonly interval: readonly Option[] | null
  readonly breakdown: readonly Option[] | null
  /** Values of several properties are one value in `breakdown`. */
  readonly breakdowns: null
  readonly series: readonly Option[] | null
  readonly compare: readonly Option[] | null
}

/** A series, step or row of a result. */
interface Part {
  readonly label?: string
  readonly days?: readonly (string | number)[]
  readonly labels?: readonly string[]
  readonly aggregated_value?: number
  readonly status?: string
  readonly breakdown_value?: string | number
  readonly breakdown_label?: string
  readonly breakdown_name?: string
  readonly compare_label?: string
}

/** Reads from a result what its query kind can choose by. */
export function toActorOptions(query: JsonObject, result: unknown): ActorOptions {
  const actors = findKind(query.kind)?.actors
  const fields: readonly string[] = actors && 'fields' in actors ? actors.fields : []
  const parts = listOf<Part | readonly Part[]>(result).flat() as Part[]
  const values = listDistinct(parts, 'breakdown_value', (part) => toLabel(shownValue(part)))
  const of = (field: string, options: readonly Option[]) =>
    fields.includes(field) && options.length > 0 ? options : null
  return {
    day: of('day', listDays(parts)),
    status: of(
      'status',
      listDistinct(parts, 'status', ({ status }) => toTitle(status)),
    ),
    interval: of(
      'interval',
      parts.map(({ label }, value) => ({ label: toLabel(label), value })),
    ),
    breakdown: of('breakdown', values) ?? of('funnelStepBreakdown', values),
    breakdowns: null,
    series: of('series', listOf(query.series).map(toSeries)),
    compare: of(
      'compare',
      listDistinct(parts, 'compare_label', ({ compare_label }) => toTitle(compare_label)),
    ),
  }
}

/** Lists the days of the current period. One number is of the whole range, although it has days for a sparkline. */
function listDays(parts: readonly Part[]): Option[] {
  const { days = [], labels = [], aggregated_value } = parts[0] ?? {}
  if (aggregated_value !== undefined) return []
  return days.map((value, at) => ({ label: labels[at] ?? String(value), value }))
}

const toTitle = (text = ''): string => text.replace(/^./, (letter) => letter.toUpperCase())

/** Lists the different values of a field, each with the label of the first part that has it. */
function listDistinct(
  parts: readonly Part[],
  field: 'status' | 'breakdown_value' | 'compare_label',
  toText: (part: Part) => string,
): Option[] {
  const found = new Map<string | number, Option>()
  for (const part of parts) {
    const value = part[field]
    if (value !== undefined && !found.has(value)) found.set(value, { label: toText(part), value })
  }
  return [...found.values()]
}

function toSeries(node: unknown, value: number): Option {
  const { custom_name, name, event } = fieldsOf(node)
  return { label: toLabel(custom_name || name || event || 'All events'), value }
}
