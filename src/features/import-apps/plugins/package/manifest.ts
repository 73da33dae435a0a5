import { isObject } from '#model/json.ts'
import { requireStorable } from '#server/http/json-body.ts'
import { AppProblem } from '#server/runtime/contract.ts'
import { type ConfigField, FIELD_TYPES, JOB_FIELD_TYPES, type PublicJobs } from '../schema.ts'

export const MANIFEST = 'plugin.json'
/** Its settings and jobs are part of every response about the app. */
export const MAX_MANIFEST_LENGTH = 256 * 1024

/** The content of `plugin.json`. Other keys are ignored. */
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

/** Throws an `AppProblem` that names the first invalid key. */
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
    throw invalidKey('config', 'must be empty: stateless apps cannot have settings')
  }
  return manifest
}

function parseJson(text: string): unknown {
  if (text.length > MAX_MANIFEST_LENGTH) {
    throw new AppProblem(
      `${MANIFEST} is larger than ${MAX_MANIFEST_LENGTH / 1024} KiB, which is the limit.`,
    )
  }
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new AppProblem(`${MANIFEST} is not JSON: ${(error as Error).message}.`)
  }
  try {
    requireStorable(json)
  } catch (error) {
    throw new AppProblem(`${MANIFEST} cannot be stored: ${(error as Error).message}`)
  }
  return json
}

const hasKeys = ({ config }: { config: readonly ConfigField[] }): boolean =>
  config.some(({ key }) => key !== undefined)

/** The order of a field in the old object form that has none. */
const LAST = 999_999

function toFields(config: unknown): ConfigField[] {
  if (config === undefined || config === null) return []
  if (Array.isArray(config)) {
    const fields = config.map((field, index) => toField(field, `config[${index}]`))
    requireKeys(fields)
    return fields
  }
  if (!isObject(config)) throw invalidKey('config', 'must be a list of settings')
  return Object.entries(config)
    .map(([key, field]) => ({ ...toField(field, `config.${key}`), key }))
    .toSorted((a, b) => (a.order ?? LAST) - (b.order ?? LAST))
}

/** Requires that keys are unique, and that an address has one. */
function requireKeys(fields: readonly ConfigField[]): void {
  const seen = new Map<string, number>()
  for (const [index, { key, address }] of fields.entries()) {
    if (key === undefined && address) {
      throw invalidKey(`config[${index}].address`, 'must belong to a setting with a key')
    }
    if (key === undefined) continue
    const before = seen.get(key)
    if (before !== undefined) {
      throw invalidKey(`config[${index}].key`, `must differ from config[${before}].key, "${key}"`)
    }
    seen.set(key, index)
  }
}

function toField(field: unknown, at: string): ConfigField {
  if (!isObject(field)) throw invalidKey(at, 'must be an object')
  const text = (name: string) => optionalText(field, name, `${at}.${name}`)
  const boolean = (name: string) =>
    optional(field, name, `${at}.${name}`, isBoolean, 'true or false')
  const conditions = (name: string) =>
    optional(field, name, `${at}.${name}`, isConditions, 'a list of [key, value, ...] lists')
  const key = optionalText(field, 'key', `${at}.key`, 200)
  if (key === '') throw invalidKey(`${at}.key`, 'may not be empty')
  const type = optional(field, 'type', `${at}.type`, isOneOf(FIELD_TYPES), oneOf(FIELD_TYPES))
  const choices = optional(field, 'choices', `${at}.choices`, isStrings, 'a list of strings')
  if (type === 'choice' && !choices?.length) {
    throw invalidKey(
      `${at}.choices`,
      'must be a list of at least one string, since the type is choice',
    )
  }
  return withoutUndefined({
    key,
    name: text('name'),
    type,
    choices,
    default: field.default ?? undefined,
    hint: text('hint'),
    markdown: text('markdown'),
    order: optional(field, 'order', `${at}.order`, isNumber, 'a number'),
    required: boolean('required'),
    secret: boolean('secret'),
    address: boolean('address'),
    required_if: conditions('required_if'),
    visible_if: conditions('visible_if'),
  })
}

function toPublicJobs(jobs: unknown): PublicJobs {
  if (jobs === undefined || jobs === null) return {}
  if (!isObject(jobs)) throw invalidKey('publicJobs', 'must be an object')
  return mapEntries(jobs, (job, name) => {
    const at = `publicJobs["${name}"]`
    if (!isObject(job)) throw invalidKey(at, 'must be an object')
    if (job.payload === undefined || job.payload === null) return {}
    if (!isObject(job.payload)) throw invalidKey(`${at}.payload`, 'must be an object')
    const payload = mapEntries(job.payload, (field, key) =>
      toJobField(field, `${at}.payload.${key}`),
    )
    return { payload }
  })
}

function toJobField(field: unknown, at: string) {
  if (!isObject(field)) throw invalidKey(at, 'must be an object')
  const type = optional(
    field,
    'type',
    `${at}.type`,
    isOneOf(JOB_FIELD_TYPES),
    oneOf(JOB_FIELD_TYPES),
  )
  if (!type) throw invalidKey(`${at}.type`, `must be ${oneOf(JOB_FIELD_TYPES)}`)
  return withoutUndefined({
    type,
    title: optionalText(field, 'title', `${at}.title`),
    required: optional(field, 'required', `${at}.required`, isBoolean, 'true or false'),
    default: field.default ?? undefined,
    staff_only: optional(field, 'staff_only', `${at}.staff_only`, isBoolean, 'true or false'),
  })
}

const invalidKey = (key: string, problem: string): AppProblem =>
  new AppProblem(`${MANIFEST}: ${key} ${problem}.`)

function requireText(from: Entries, name: string, at: string, maxLength: number): string {
  const text = optionalText(from, name, at, maxLength)?.trim()
  if (!text) throw invalidKey(at, 'is missing or empty')
  return text
}

function optionalText(
  from: Entries,
  name: string,
  at: string,
  maxLength = 10_000,
): string | undefined {
  const text = optional(from, name, at, isString, 'a string')
  if (text !== undefined && text.length > maxLength) {
    throw invalidKey(at, `must have at most ${maxLength} characters`)
  }
  return text
}

/** Treats null as absent. */
function optional<T>(
  from: Entries,
  name: string,
  at: string,
  isValid: (value: unknown) => value is T,
  expected: string,
): T | undefined {
  const value = Object.hasOwn(from, name) ? from[name] : undefined
  if (value === undefined || value === null) return undefined
  if (!isValid(value)) throw invalidKey(at, `must be ${expected}`)
  return value
}

const isString = (value: unknown): value is string => typeof value === 'string'
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isNumber = (value: unknown): value is number => typeof value === 'number'
const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(isString)
const isConditions = (value: unknown): value is unknown[][] =>
  Array.isArray(value) &&
  value.every((pair) => Array.isArray(pair) && isString(pair[0]) && pair.length <= 2)
const isOneOf =
  <T extends string>(choices: readonly T[]) =>
  (value: unknown): value is T =>
    choices.some((choice) => choice === value)
const oneOf = (choices: readonly string[]): string => `one of ${choices.join(', ')}`

const mapEntries = <T>(from: Entries, map: (value: unknown, key: string) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, map(value, key)]))

/** Stores only the keys that the manifest has. */
const withoutUndefined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
