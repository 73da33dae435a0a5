import type { Properties, PropertyFilter } from '#model/query-kinds/common.schema.ts'

type Operator = NonNullable<PropertyFilter['operator']>

export const RULE_OPERATORS: { value: Operator; label: string }[] = [
  { value: 'exact', label: 'equals' },
  { value: 'is_not', label: 'does not equal' },
  { value: 'icontains', label: 'contains' },
  { value: 'not_icontains', label: 'does not contain' },
  { value: 'regex', label: 'matches regex' },
  { value: 'not_regex', label: 'does not match regex' },
  { value: 'gt', label: 'greater than' },
  { value: 'lt', label: 'less than' },
  { value: 'is_set', label: 'is set' },
  { value: 'is_not_set', label: 'is not set' },
]

/** A filter as a form row; keeps both kinds of value while the condition changes. */
export interface Rule {
  readonly key: string
  readonly property: string
  readonly operator: Operator
  readonly value: string
  readonly values: string[]
  readonly type: PropertyFilter['type']
}

export const takesList = (operator: Operator): boolean => /^(exact|is_not)$/.test(operator)
export const takesValue = (operator: Operator): boolean =>
  !takesList(operator) && !/^is_(not_)?set$/.test(operator)

let nextKey = 0

export const newRule = (operator: Operator, type?: Rule['type']): Rule =>
  toRule({ key: '', operator, type })

function toRule({ key, operator, value, type }: PropertyFilter): Rule {
  const values = [value ?? []].flat().map(String)
  return {
    key: `rule ${nextKey++}`,
    property: key,
    operator: operator ?? 'exact',
    value: values[0] ?? '',
    values,
    type,
  }
}

/** The API accepts only a list. */
export const toRules = (filters: Properties): Rule[] =>
  Array.isArray(filters) ? (filters as PropertyFilter[]).map(toRule) : []

export const toFilters = (rules: readonly Rule[]): PropertyFilter[] =>
  rules.map(({ property, operator, value, values, type }) => ({
    key: property,
    operator,
    ...(type && { type }),
    ...(takesList(operator) && { value: values }),
    ...(takesValue(operator) && { value: toValue(operator, value) }),
  }))

const toValue = (operator: Operator, text: string): string | number =>
  /^[gl]te?$/.test(operator) && text.trim() !== '' && !Number.isNaN(Number(text))
    ? Number(text)
    : text
