import type { Alert, AlertCreate } from '#server/features/notifications/alerts/schema.ts'
import { ApiProblem } from '../../api/client.ts'
import { type TargetValues, toTarget, toTargetValues } from './target-values.ts'
import { toPercent } from './words.ts'

export interface AlertValues {
  readonly name: string
  readonly insight: string | null
  readonly condition: 'absolute_value' | 'relative_increase' | 'relative_decrease'
  readonly unit: 'absolute' | 'percentage'
  /** Empty: no bound. */
  readonly upper: number | string
  readonly lower: number | string
  /** Which of the insight's lines, from 0. */
  readonly line: string
  readonly isOngoingSeen: boolean
  readonly interval: 'hourly' | 'daily' | 'weekly'
  readonly targets: readonly TargetValues[]
}

export const newAlert = (insight: number | undefined): AlertValues => ({
  name: '',
  insight: insight === undefined ? null : `${insight}`,
  condition: 'absolute_value',
  unit: 'absolute',
  upper: '',
  lower: '',
  line: '0',
  isOngoingSeen: false,
  interval: 'hourly',
  targets: [{ type: 'webhook', address: '' }],
})

export function toAlertValues(alert: Alert): AlertValues {
  const { type: unit, bounds } = alert.threshold.configuration
  const scale = (bound: number) => (unit === 'percentage' ? toPercent(bound) : bound)
  const toField = (bound: number | null | undefined) =>
    typeof bound === 'number' ? scale(bound) : ''
  return {
    name: alert.name,
    insight: `${alert.insight}`,
    condition: alert.condition.type,
    unit,
    upper: toField(bounds.upper),
    lower: toField(bounds.lower),
    line: `${alert.config.series_index ?? 0}`,
    isOngoingSeen: alert.config.check_ongoing_interval ?? false,
    interval: alert.calculation_interval,
    targets: alert.targets.map(toTargetValues),
  }
}

/** `usual`: what it is called if nothing is said; without that too, the server knows. */
export function toAlertSent(values: AlertValues, usual?: string): AlertCreate {
  const { insight, condition, upper, lower, targets } = values
  const name = values.name.trim() || usual
  const type = condition === 'absolute_value' ? 'absolute' : values.unit
  const toBound = (bound: number | string) => {
    if (bound === '') return null
    return type === 'percentage' ? Number(bound) / 100 : Number(bound)
  }
  return {
    ...(name && { name }),
    insight: Number(insight),
    condition: { type: condition },
    threshold: {
      configuration: { type, bounds: { upper: toBound(upper), lower: toBound(lower) } },
    },
    config: { series_index: Number(values.line), check_ongoing_interval: values.isOngoingSeen },
    calculation_interval: values.interval,
    targets: targets.map(toTarget),
  }
}

/** What the server refused, at the field of the form that it came from. */
export function toAlertErrors(error: Error): Record<string, string> {
  const attr = error instanceof ApiProblem ? (error.attr ?? '') : ''
  const [, index, part] = /^targets__(\d+)__(\w+)$/.exec(attr) ?? []
  if (index) return { [`targets.${index}.${part === 'type' ? part : 'address'}`]: error.message }
  if (attr.startsWith('threshold')) return { upper: error.message }
  if (attr.startsWith('condition')) return { condition: error.message }
  return attr === 'name' || attr === 'insight' ? { [attr]: error.message } : {}
}
