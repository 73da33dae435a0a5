/** The fields of the interface document's section 2, written by hand: nothing here comes from our schemas. */

/** Vitest calls this method instead of comparing the value. */
const kind = (name: string, asymmetricMatch: (value: unknown) => boolean) => ({
  asymmetricMatch,
  toString: () => name,
  toAsymmetricMatcher: () => name,
})

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown, pattern: RegExp): boolean =>
  typeof value === 'string' && pattern.test(value)

const integer = kind('integer', Number.isSafeInteger)
const integerOrNull = kind('integer or null', (v) => v === null || Number.isSafeInteger(v))
const boolean = kind('boolean', (value) => typeof value === 'boolean')
const string = kind('string', (value) => typeof value === 'string')
const object = kind('object', isObject)
const uuid = kind('uuid', (value) => isText(value, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))
const email = kind('e-mail', (value) => isText(value, /^[^@\s]+@[^@\s]+$/))
const dateTime = kind('date-time', (value) =>
  isText(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3,9})?Z$/),
)
const arrayOfStrings = kind(
  'array of strings',
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
)
const arrayOfObjects = kind(
  'array of objects',
  (value) => Array.isArray(value) && value.every(isObject),
)

/** 2.2 */
export const CONFIG = {
  id: integer,
  plugin: integer,
  enabled: boolean,
  order: integer,
  config: string,
  error: string,
  team_id: integer,
  plugin_info: string,
  delivery_rate_24h: string,
  created_at: dateTime,
  updated_at: dateTime,
  name: string,
  description: string,
  deleted: boolean,
}

/** 2.5 */
export const USER = {
  id: integer,
  uuid: uuid,
  distinct_id: string,
  first_name: string,
  last_name: string,
  email: email,
  is_email_verified: boolean,
  hedgehog_config: object,
}

/** 2.3: the list item. */
export const DASHBOARD_ITEM = {
  id: integer,
  name: string,
  description: string,
  pinned: boolean,
  created_at: dateTime,
  created_by: USER,
  is_shared: boolean,
  deleted: boolean,
  creation_mode: string,
  tags: arrayOfStrings,
  restriction_level: integer,
  effective_restriction_level: integer,
  effective_privilege_level: integer,
}

/** 2.3: the full representation. */
export const DASHBOARD = {
  ...DASHBOARD_ITEM,
  use_template: string,
  use_dashboard: integerOrNull,
  delete_insights: boolean,
  filters: object,
  variables: object,
  tiles: arrayOfObjects,
}

/** 2.4 */
export const COLLABORATOR = {
  id: uuid,
  dashboard_id: integer,
  user: USER,
  level: integer,
  added_at: dateTime,
  updated_at: dateTime,
  user_uuid: uuid,
}

/** 2.6 */
export const SHARING = { created_at: dateTime, enabled: boolean, access_token: string }

/** 2.1: a single page with results. */
export const pageOf = (item: object) => ({
  count: integer,
  next: null,
  previous: null,
  results: listOf(item),
})

export const listOf = (item: object) =>
  kind(
    `list of objects with ${Object.keys(item).join(', ')}`,
    (value) => Array.isArray(value) && value.length > 0 && value.every((each) => fits(each, item)),
  )

type Kind = ReturnType<typeof kind>

/** Matches an object with exactly these fields, each of its type. */
function fits(value: unknown, shape: object): boolean {
  if ('asymmetricMatch' in shape) return (shape as Kind).asymmetricMatch(value)
  if (!isObject(value)) return false
  const fields = value as Record<string, unknown>
  const expected = Object.entries(shape)
  return (
    expected.length === Object.keys(fields).length &&
    expected.every(([name, kindOfField]) => fits(fields[name], kindOfField))
  )
}
