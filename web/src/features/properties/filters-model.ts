import { toValueLabel } from '#model/names/event-label.ts'
import { toPropertyLabel } from '#model/names/property-label.ts'
import type { Properties, PropertyFilter, PropertyGroup } from '#model/query-kinds/common.schema.ts'

export type Match = PropertyGroup['type']
export type Operator = NonNullable<PropertyFilter['operator']>
export type PropertyType = NonNullable<PropertyFilter['type']>

/** A property and its owner: the event, its person, ... */
export interface PropertyRef {
  readonly type: PropertyType
  readonly key: string
  /** The index of the type of groups, for properties of groups. */
  readonly group_type_index?: number | null | undefined
}

/** Display settings that clients save with a filter. */
export type SavedFilter = PropertyFilter & { readonly cohort_name?: string | null }

export interface FilterGroup {
  readonly type: Match
  readonly filters: readonly PropertyFilter[]
}

/** Groups of filters, matched all or any. */
export interface GroupedFilters {
  readonly type: Match
  readonly groups: readonly FilterGroup[]
}

export const NEW_FILTER: PropertyFilter = { key: '', operator: 'exact', type: 'event', value: null }

export const NO_FILTERS: GroupedFilters = { type: 'AND', groups: [] }

const isFilter = (value: PropertyGroup | PropertyFilter): value is PropertyFilter =>
  !('values' in value)

const isList = (properties: Properties): properties is readonly PropertyFilter[] =>
  Array.isArray(properties)

/** Returns undefined if the filters are nested too deeply to edit. */
export function toGroups(properties: Properties | null | undefined): GroupedFilters | undefined {
  if (!properties) return NO_FILTERS
  if (isList(properties)) {
    return properties.length === 0
      ? NO_FILTERS
      : { type: 'AND', groups: [{ type: 'AND', filters: properties }] }
  }
  const { type, values } = properties
  if (values.length === 0) return NO_FILTERS
  if (values.every(isFilter)) return { type: 'AND', groups: [{ type, filters: values }] }
  const groups = values.map((value) =>
    isFilter(value)
      ? { type: 'AND' as const, filters: [value] }
      : { type: value.type, filters: value.values.filter(isFilter) },
  )
  const isDeeper = values.some((value) => !isFilter(value) && !value.values.every(isFilter))
  return isDeeper ? undefined : { type, groups }
}

/** Writes the simplest equivalent notation. */
export function fromGroups({ type, groups }: GroupedFilters): Properties | undefined {
  const used = groups.filter(({ filters }) => filters.length > 0)
  const [only] = used
  if (!only) return undefined
  if (used.length > 1) {
    return { type, values: used.map((group) => ({ type: group.type, values: group.filters })) }
  }
  return only.type === 'AND' || only.filters.length === 1
    ? only.filters
    : { type: 'OR', values: only.filters }
}

/** Returns the path of the filter in the server's error, as `fromGroups` writes it. */
export function filterPath({ groups }: GroupedFilters, group: number, filter: number): string {
  const used = groups.filter(({ filters }) => filters.length > 0)
  if (used.length > 1)
    return `values__${used.indexOf(groups[group] as FilterGroup)}__values__${filter}`
  const isPlain = used[0]?.type === 'AND' || used[0]?.filters.length === 1
  return isPlain ? `${filter}` : `values__${filter}`
}

export type ValueForm = 'none' | 'list' | 'text' | 'number' | 'range' | 'date' | 'cohort'

interface OperatorField {
  readonly value: Operator
  readonly label: string
  readonly form: ValueForm
}

const PROPERTY_OPERATORS: readonly OperatorField[] = [
  { value: 'exact', label: 'is', form: 'list' },
  { value: 'is_not', label: 'is not', form: 'list' },
  { value: 'icontains', label: 'contains', form: 'list' },
  { value: 'not_icontains', label: 'does not contain', form: 'list' },
  { value: 'regex', label: 'matches regex', form: 'text' },
  { value: 'not_regex', label: 'does not match regex', form: 'text' },
  { value: 'gt', label: '> greater than', form: 'number' },
  { value: 'gte', label: '≥ at least', form: 'number' },
  { value: 'lt', label: '< less than', form: 'number' },
  { value: 'lte', label: '≤ at most', form: 'number' },
  { value: 'between', label: 'is between', form: 'range' },
  { value: 'not_between', label: 'is not between', form: 'range' },
  { value: 'is_set', label: 'is set', form: 'none' },
  { value: 'is_not_set', label: 'is not set', form: 'none' },
  { value: 'is_date_exact', label: 'is on', form: 'date' },
  { value: 'is_date_before', label: 'is before', form: 'date' },
  { value: 'is_date_after', label: 'is after', form: 'date' },
]

const COHORT_OPERATORS: readonly OperatorField[] = [
  { value: 'in', label: 'in', form: 'cohort' },
  { value: 'not_in', label: 'not in', form: 'cohort' },
]

const isCohort = ({ type }: Pick<PropertyFilter, 'type'>): boolean => type === 'cohort'

export const listOperators = (filter: Pick<PropertyFilter, 'type'>): readonly OperatorField[] =>
  isCohort(filter) ? COHORT_OPERATORS : PROPERTY_OPERATORS

/** `in` and `not_in` are aliases of `exact` and `is_not`. */
const ALIASES = { exact: 'in', is_not: 'not_in' } as const

export function toOperator(filter: PropertyFilter): Operator {
  const operator = filter.operator ?? 'exact'
  const pairs = Object.entries(ALIASES) as readonly [Operator, Operator][]
  for (const [plain, alias] of pairs) {
    if (operator === plain || operator === alias) return isCohort(filter) ? alias : plain
  }
  return operator
}

const toValueForm = (filter: PropertyFilter, operator: Operator): ValueForm =>
  listOperators(filter).find(({ value }) => value === operator)?.form ?? 'list'

export const toCurrentForm = (filter: PropertyFilter): ValueForm =>
  toValueForm(filter, toOperator(filter))

export const filterValues = ({ value }: PropertyFilter): readonly string[] =>
  (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]).map(String)

/** Keeps a value that the new operator can use. */
export function withOperator(filter: PropertyFilter, operator: Operator): PropertyFilter {
  const isSameForm = toCurrentForm(filter) === toValueForm(filter, operator)
  return { ...filter, operator, value: isSameForm ? filter.value : null }
}

/** Keeps the operator and value of another property, but not those of a cohort. */
export function withProperty(filter: PropertyFilter, ref: PropertyRef): PropertyFilter {
  if (ref.type === 'cohort') return { type: ref.type, key: 'id', operator: 'in', value: null }
  const { operator, value } = isCohort(filter)
    ? { operator: 'exact' as const, value: null }
    : filter
  return { ...ref, operator, value }
}

/** Undefined while no property is chosen. */
export const toPropertyRef = ({
  type,
  key,
  group_type_index,
}: PropertyFilter): PropertyRef | undefined =>
  key === '' ? undefined : { type: type ?? 'event', key, group_type_index }

export function isComplete(filter: PropertyFilter): boolean {
  if (filter.key === '') return false
  const form = toCurrentForm(filter)
  const values = filterValues(filter).filter((value) => value !== '')
  return form === 'none' || values.length >= (form === 'range' ? 2 : 1)
}

export const isAllComplete = (properties: Properties | null | undefined): boolean =>
  (toGroups(properties)?.groups ?? []).every(({ filters }) => filters.every(isComplete))

interface FilterNames {
  property(name: string): string
  value(value: string): string
}

const LABELS: FilterNames = { property: toPropertyLabel, value: toValueLabel }

/** Names properties and values as they are stored. */
export const STORED_NAMES: FilterNames = { property: (name) => name, value: (value) => value }

/** Describes a filter in words: `person plan is pro or team`. */
export function describeFilter(filter: SavedFilter, names = LABELS): string {
  const operator = toOperator(filter)
  const sign = listOperators(filter).find(({ value }) => value === operator)?.label ?? operator
  const values = filterValues(filter)
  const form = toCurrentForm(filter)
  if (form === 'cohort') return `${sign} cohort ${filter.cohort_name || values[0]}`
  // the symbol of `> greater than` is enough
  const words = sign.split(' ').find((word) => /[<>≤≥]/.test(word)) ?? sign
  const amount =
    form === 'none' ? [] : [values.map(names.value).join(form === 'range' ? ' and ' : ' or ')]
  const label = names.property(filter.key)
  const name = /person|group/.test(filter.type ?? '') ? `${filter.type} ${label}` : label
  return [name, words, ...amount].join(' ')
}
