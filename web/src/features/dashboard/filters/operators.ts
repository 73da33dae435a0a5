import type { SearchFilter } from '../../dashboards/search.ts'

export const DASHBOARD_OPERATORS = [
  { value: 'exact', label: 'is' },
  { value: 'is_not', label: 'is not' },
  { value: 'icontains', label: 'contains' },
  { value: 'not_icontains', label: 'does not contain' },
  { value: 'gt', label: 'is greater than' },
  { value: 'lt', label: 'is less than' },
  { value: 'is_set', label: 'is set' },
  { value: 'is_not_set', label: 'is not set' },
] as const

export const needsValue = (operator: string): boolean => !operator.endsWith('_set')

export function describeFilter({ key, operator, value }: SearchFilter): string {
  const words = DASHBOARD_OPERATORS.find((one) => one.value === operator)?.label ?? operator
  const values = Array.isArray(value) ? value.join(' or ') : value
  return [key, words, needsValue(operator) && values].filter(Boolean).join(' ')
}
