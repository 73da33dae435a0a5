import { isObject } from '#model/json.ts'
import { requireStorable } from '#server/http/json-body.ts'
import { AppProblem } from '#server/runtime/contract.ts'
import { type ConfigField, FIELD_TYPES, JOB_FIELD_TYPES, type PublicJobs } from '../schema.ts'

export const MANIFEST = 'plugin.json'

/** What an app says about itself in `plugin.json`. Keys that are not here are nobody's business. */
export interface Manifest {
  readonly name: string
  readonly description: string
  readonly icon: string | null
  /** Relative to the app's folder. */
  readonly main: string | undefined
  readonly config: readonly ConfigField[]
  readonly publicJobs: PublicJobs
}

type Entries = Readonly<Record<string, unknown>>

/** Throws an `AppProblem` that names the first key at fault. */
export function parseManifest(text: string): Manifest {
  const json = parseJson(text)
  if (!isObject(json)) throw new AppProblem(`${MANIFEST} must hold a JSON object.`)
  const manifest = {
    name: requireText(json, 'name', 'name', 200),
    description: optionalText(json, 'description', 'description', 1000)?.trim() ?? '',
    icon: optionalText(json, 'icon', 'icon', 800) ?? null,
    main: optionalText(json, 'main', 'main', 200),
    config: toFields(json.config),
    publicJobs: toPublicJobs(json.publicJobs),
  }
  optionalText(json, 'url', 'url', 2000)
  if (optional(json, 'stateless', 'stateless', isBoolean, 'true or false') && hasKeys(manifest)) {
    throw wrong('config', 'must be empty: stateless apps cannot have settings')
  }
  return manifest
}

function parseJson(text: string): unknown {
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new AppProblem(`${MANIFEST} is not JSON: ${(error as Error).message}.`)
  }
  try {
    requireStorable(json)
  } catch (error) {
    throw new AppProblem(`${MANIFEST} cannot be kept: ${(error as Error).message}`)
  }
  return json
}

const hasKeys = ({ config }: { config: readonly ConfigField[] }): boolean =>
  config.some(({ key }) => key !== undefined)

/** Where a field of the old object form stands that does not say. */
const LAST = 999_999

function toFields(config: unknown): ConfigField[] {
  if (config === undefined || config === null) return []
  if (Array.isArray(config)) {
    const fields = config.map((field, index) => toField(field, `config[${index}]`))
    requireDifferentKeys(fields)
    return fields
  }
  if (!isObject(config)) throw wrong('config', 'must be a list of settings')
  return Object.entries(config)
    .map(([key, field]) => ({ ...toField(field, `config.${key}`), key }))
    .toSorted((a, b) => (a.order ?? LAST) - (b.order ?? LAST))
}

function requireDifferentKeys(fields: readonly ConfigField[]): void {
  const seen = new Map<string, number>()
  for (const [index, { key }] of fields.entries()) {
    if (key === undefined) continue
    const before = seen.get(key)
    if (before !== undefined) {
      throw wrong(`config[${index}].key`, `must differ from config[${before}].key, "${key}"`)
    }
    seen.set(key, index)
  }
}

function toField(field: unknown, at: string): ConfigField {
  if (!isObject(field)) throw wrong(at, 'must be an object')
  const text = (name: string) => optionalText(field, name, `${at}.${name}`)
  const yesOrNo = (name: string) =>
    optional(field, name, `${at}.${name}`, isBoolean, 'true or false')
  const conditions = (name: string) =>
    optional(field, name, `${at}.${name}`, isConditions, 'a list of [key, value] pairs')
  const key = optionalText(field, 'key', `${at}.key`, 200)
  if (key === '') throw wrong(`${at}.key`, 'may not be empty')
  const type = optional(field, 'type', `${at}.type`, isOneOf(FIELD_TYPES), oneOf(FIELD_TYPES))
  const choices = optional(field, 'choices', `${at}.choices`, isTexts, 'a list of texts')
  if (type === 'choice' && !choices?.length) {
    throw wrong(`${at}.choices`, 'must be a list of at least one text, since the type is choice')
  }
  return withoutAbsent({
    key,
    name: text('name'),
    type,
    choices,
    default: field.default ?? undefined,
    hint: text('hint'),
    markdown: text('markdown'),
    order: optional(field, 'order', `${at}.order`, isNumber, 'a number'),
    required: yesOrNo('required'),
    secret: yesOrNo('secret'),
    required_if: conditions('required_if'),
    visible_if: conditions('visible_if'),
  })
}

function toPublicJobs(jobs: unknown): PublicJobs {
  if (jobs === undefined || jobs === null) return {}
  if (!isObject(jobs)) throw wrong('publicJobs', 'must be an object')
  return mapEntries(jobs, (job, name) => {
    const at = `publicJobs["${name}"]`
    if (!isObject(job)) throw wrong(at, 'must be an object')
    if (job.payload === undefined || job.payload === null) return {}
    if (!isObject(job.payload)) throw wrong(`${at}.payload`, 'must be an object')
    const payload = mapEntries(job.payload, (field, key) =>
      toJobField(field, `${at}.payload.${key}`),
    )
    return { payload }
  })
}

function toJobField(field: unknown, at: string) {
  if (!isObject(field)) throw wrong(at, 'must be an object')
  const type = optional(
    field,
    'type',
    `${at}.type`,
    isOneOf(JOB_FIELD_TYPES),
    oneOf(JOB_FIELD_TYPES),
  )
  if (!type) throw wrong(`${at}.type`, `must be ${oneOf(JOB_FIELD_TYPES)}`)
  return withoutAbsent({
    type,
    title: optionalText(field, 'title', `${at}.title`),
    required: optional(field, 'required', `${at}.required`, isBoolean, 'true or false'),
    default: field.default ?? undefined,
    staff_only: optional(field, 'staff_only', `${at}.staff_only`, isBoolean, 'true or false'),
  })
}

const wrong = (key: string, what: string): AppProblem =>
  new AppProblem(`${MANIFEST}: ${key} ${what}.`)

function requireText(from: Entries, name: string, at: string, most: number): string {
  const text = optionalText(from, name, at, most)?.trim()
  if (!text) throw wrong(at, 'is missing or empty')
  return text
}

function optionalText(from: Entries, name: string, at: string, most = 10_000): string | undefined {
  const text = optional(from, name, at, isText, 'a text')
  if (text !== undefined && text.length > most) {
    throw wrong(at, `must have at most ${most} characters`)
  }
  return text
}

/** null counts as absent. */
function optional<T>(
  from: Entries,
  name: string,
  at: string,
  fits: (value: unknown) => value is T,
  wanted: string,
): T | undefined {
  const value = Object.hasOwn(from, name) ? from[name] : undefined
  if (value === undefined || value === null) return undefined
  if (!fits(value)) throw wrong(at, `must be ${wanted}`)
  return value
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isNumber = (value: unknown): value is number => typeof value === 'number'
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)
const isConditions = (value: unknown): value is unknown[][] =>
  Array.isArray(value) &&
  value.every((pair) => Array.isArray(pair) && isText(pair[0]) && pair.length <= 2)
const isOneOf =
  <T extends string>(choices: readonly T[]) =>
  (value: unknown): value is T =>
    choices.some((choice) => choice === value)
const oneOf = (choices: readonly string[]): string => `one of ${choices.join(', ')}`

const mapEntries = <T>(from: Entries, map: (value: unknown, key: string) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, map(value, key)]))

/** So that what is stored holds only what was said. */
const withoutAbsent = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
