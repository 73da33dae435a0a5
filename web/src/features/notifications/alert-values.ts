import type { Sensitivity } from '#model/usual-range.ts'
import type { Alert, AlertCreate } from '#server/features/notifications/alerts/schema.ts'
import { ApiError } from '../../api/client.ts'
import { toPercent } from './labels.ts'
import { NEW_TARGET, type TargetValues, toTarget, toTargetValues } from './target-values.ts'

export interface AlertValues {
  readonly name: string
  readonly insight: string | null
  readonly condition: Alert['condition']['type']
  readonly sensitivity: Sensitivity
  readonly unit: 'absolute' | 'percentage'
  /** An empty text means no bound. */
  readonly upper: number | string
  readonly lower: number | string
  /** Index of the watched series, from 0. */
  readonly line: string
  readonly includesCurrentPeriod: boolean
  readonly interval: Alert['calculation_interval']
  readonly skipsWeekends: boolean
  readonly targets: readonly TargetValues[]
}

/** Tells whether the bounds are those of a change, which can be a percentage. */
export const isRelative = (condition: AlertValues['condition']): boolean =>
  condition === 'relative_increase' || condition === 'relative_decrease'

export const newAlert = (insight: number | undefined): AlertValues => ({
  name: '',
  insight: insight === undefined ? null : `${insight}`,
  condition: 'absolute_value',
  sensitivity: 'medium',
  unit: 'absolute',
  upper: '',
  lower: '',
  line: '0',
  includesCurrentPeriod: false,
  interval: 'hourly',
  skipsWeekends: false,
  targets: [NEW_TARGET],
})

export function toAlertValues(alert: Alert): AlertValues {
  const { type: unit, bounds } = alert.threshold.configuration
  const scale = (bound: number) => (unit === 'percentage' ? toPercent(bound) : bound)
  const toField = (bound: number | null | undefined) =>
    typeof bound === 'number' ? scale(bound) : ''
  return {
    name: alert.name,
    insight: alert.insight && `${alert.insight.id}`,
    condition: alert.condition.type,
    sensitivity: alert.condition.sensitivity ?? 'medium',
    unit,
    upper: toField(bounds.upper),
    lower: toField(bounds.lower),
    line: `${alert.config.series_index ?? 0}`,
    includesCurrentPeriod: alert.config.check_ongoing_interval ?? false,
    interval: alert.calculation_interval,
    skipsWeekends: alert.skip_weekend,
    targets: alert.targets.map(toTargetValues),
  }
}

/** Falls back to `defaultName`; without it the server picks a name. */
export function toAlertInput(values: AlertValues, defaultName?: string): AlertCreate {
  const { insight, condition, sensitivity, upper, lower, targets } = values
  const isAnomaly = condition === 'anomaly'
  const name = values.name.trim() || defaultName
  const type = isRelative(condition) ? values.unit : 'absolute'
  const toBound = (bound: number | string) => {
    if (bound === '' || isAnomaly) return null
    return type === 'percentage' ? Number(bound) / 100 : Number(bound)
  }
  return {
    ...(name && { name }),
    insight: Number(insight),
    condition: { type: condition, ...(isAnomaly && { sensitivity }) },
    threshold: {
      configuration: { type, bounds: { upper: toBound(upper), lower: toBound(lower) } },
    },
    config: {
      series_index: Number(values.line),
      check_ongoing_interval: values.includesCurrentPeriod && !isAnomaly,
    },
    calculation_interval: values.interval,
    skip_weekend: values.skipsWeekends,
    targets: targets.map(toTarget),
  }
}

/** Maps a validation error to the form field it came from. */
export function toAlertErrors(error: Error): Record<string, string> {
  const attr = error instanceof ApiError ? (error.attr ?? '') : ''
  const [, index, part] = /^targets__(\d+)__(\w+)$/.exec(attr) ?? []
  if (index) return { [`targets.${index}.${part === 'type' ? part : 'address'}`]: error.message }
  if (attr.startsWith('threshold')) return { upper: error.message }
  if (attr.startsWith('condition')) return { condition: error.message }
  return attr === 'name' || attr === 'insight' ? { [attr]: error.message } : {}
}
