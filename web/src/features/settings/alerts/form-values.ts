import type { AlertCreate } from '../../../../../src/features/alerts/schema.ts'
import { ApiProblem } from '../../../api/client.ts'

export interface AlertValues {
  readonly insight: string | null
  readonly condition: 'absolute_value' | 'relative_increase' | 'relative_decrease'
  readonly unit: 'absolute' | 'percentage'
  /** Empty: no bound. */
  readonly upper: number | string
  readonly lower: number | string
  readonly interval: 'hourly' | 'daily' | 'weekly'
  readonly target: 'webhook' | 'email'
  readonly address: string
}

export function toAlertSent(values: AlertValues): AlertCreate {
  const { insight, condition, upper, lower, target, address } = values
  const type = condition === 'absolute_value' ? 'absolute' : values.unit
  const toBound = (bound: number | string) => {
    if (bound === '') return null
    return type === 'percentage' ? Number(bound) / 100 : Number(bound)
  }
  return {
    insight: Number(insight),
    condition: { type: condition },
    threshold: {
      configuration: { type, bounds: { upper: toBound(upper), lower: toBound(lower) } },
    },
    calculation_interval: values.interval,
    targets: [
      target === 'webhook'
        ? { type: 'webhook', url: address.trim() }
        : { type: 'email', address: address.trim() },
    ],
  }
}

/** What the server refused, at the field of the form that it came from. */
export function toAlertErrors(error: Error): Partial<Record<keyof AlertValues, string>> {
  const attr = error instanceof ApiProblem ? (error.attr ?? '') : ''
  if (attr.startsWith('targets')) {
    return attr.endsWith('type') ? { target: error.message } : { address: error.message }
  }
  if (attr.startsWith('threshold')) return { upper: error.message }
  if (attr.startsWith('condition')) return { condition: error.message }
  return attr.startsWith('insight') ? { insight: error.message } : {}
}
