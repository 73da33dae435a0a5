import { CONDITIONS, type CohortGroup } from '#model/cohort-filters.schema.ts'
import { isObject, type JsonObject } from '#model/json.ts'
import { invalid, required } from '#server/errors.ts'
import { getSchemaCheck } from '#server/http/validation.ts'

const MAX_LEVELS = 4
const MAX_VALUES = 100

/** Checks the filters of a dynamic cohort; an error names the field at fault. */
export function requireFilters(filters: object | undefined): CohortGroup {
  const { properties } = (filters ?? {}) as { readonly properties?: unknown }
  if (filters === undefined) throw required('filters')
  if (properties === undefined || properties === null) {
    throw required('filters__properties')
  }
  requireGroup(properties, 'filters__properties', 1)
  return properties as CohortGroup
}

function requireGroup(group: unknown, attr: string, level: number): void {
  if (!isObject(group)) throw invalid(attr, 'Expected a group of conditions.', 'not_a_dict')
  const { type, values } = group
  if (type !== 'AND' && type !== 'OR') {
    throw invalid(`${attr}__type`, 'Must be "AND" or "OR".', 'invalid_choice')
  }
  if (!Array.isArray(values)) throw invalid(`${attr}__values`, 'Expected a list.', 'not_a_list')
  if (values.length === 0 || values.length > MAX_VALUES) {
    throw invalid(`${attr}__values`, `A group has 1 to ${MAX_VALUES} conditions.`)
  }
  for (const [index, value] of values.entries()) {
    const at = `${attr}__values__${index}`
    if (!isObject(value)) throw invalid(at, 'Expected a group or a condition.', 'not_a_dict')
    if (!Object.hasOwn(value, 'values')) requireCondition(value, at)
    else if (level < MAX_LEVELS) requireGroup(value, at, level + 1)
    else throw invalid(at, `Groups can be nested ${MAX_LEVELS} deep.`)
  }
}

function requireCondition(condition: JsonObject, attr: string): void {
  const type = String(condition.type)
  if (!Object.hasOwn(CONDITIONS, type)) {
    const known = Object.keys(CONDITIONS).join(', ')
    throw invalid(`${attr}__type`, `A condition is of type ${known}.`, 'invalid_choice')
  }
  getSchemaCheck(CONDITIONS[type as keyof typeof CONDITIONS])(condition, attr)
  if (type === 'behavioral') requireKey(condition, attr)
}

/** An event has a name, an action an ID, which older clients send as text. */
function requireKey({ key, event_type }: JsonObject, attr: string): void {
  const isAction = event_type === 'actions'
  if (isAction ? Number.isSafeInteger(Number(key)) : typeof key === 'string') return
  throw invalid(`${attr}__key`, isAction ? 'Enter the ID of an action.' : 'Not a valid string.')
}
