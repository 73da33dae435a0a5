import { isObject } from '#model/json.ts'
import { requireStorable } from '#server/http/json-body.ts'
import { AppProblem } from '#server/runtime/contract.ts'
import { type ConfigField, FIELD_TYPES, JOB_FIELD_TYPES, type PublicJobs } from '../schema.ts'
import {
  DEFAULT_RECEIVES,
  MAX_BODY_BYTES,
  METHODS,
  type Method,
  type Receives,
  VERIFY_KINDS,
} from './receives.ts'

export const MANIFEST_FILE = 'plugin.json'
/** Its settings and jobs are part of every response about the app. */
export const MAX_MANIFEST_LENGTH = 256 * 1024

/** The content of `plugin.json`. Other keys are ignored. */
export interface AppManifest {
  readonly name: string
  readonly description: string
  readonly icon: string | null
  /** Relative to the app's folder. */
  readonly main: string | undefined
  readonly config: readonly ConfigField[]
  readonly publicJobs: PublicJobs
  /** The requests of other services that it receives; null if it receives none. */
  readonly receives: Receives | null
}

type Entries = Readonly<Record<string, unknown>>

/** The keys of an object in the manifest, and its path for messages. */
interface Keys {
  readonly of: Entries
  readonly at?: string
}

/** Throws an `AppProblem` that names the first invalid key. */
export function parseAppManifest(text: string): AppManifest {
  const json = parseJson(text)
  if (!isObject(json)) throw new AppProblem(`${MANIFEST_FILE} must hold a JSON object.`)
  const keys = { of: json }
  const manifest = {
    name: requireText(keys, 'name', 200),
    description: optionalText(keys, 'description', 1000)?.trim() ?? '',
    icon: optionalText(keys, 'icon', 800) ?? null,
    main: optionalText(keys, 'main', 200),
    config: toFields(json.config),
    publicJobs: toPublicJobs(json.publicJobs),
    receives: toReceives(json.receives),
  }
  optionalText(keys, 'url', 2000)
  if (optional(keys, 'stateless', BOOLEAN) && hasKeys(manifest)) {
    throw invalidKey('config', 'must be empty: stateless apps cannot have settings')
  }
  return manifest
}

function parseJson(text: string): unknown {
  if (text.length > MAX_MANIFEST_LENGTH) {
    throw new AppProblem(
      `${MANIFEST_FILE} is larger than ${MAX_MANIFEST_LENGTH / 1024} KiB, which is the limit.`,
    )
  }
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new AppProblem(`${MANIFEST_FILE} is not JSON: ${(error as Error).message}.`)
  }
  try {
    requireStorable(json)
  } catch (error) {
    throw new AppProblem(`${MANIFEST_FILE} cannot be stored: ${(error as Error).message}`)
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
  const keys = { of: field, at }
  const key = optionalText(keys, 'key', 200)
  if (key === '') throw invalidKey(`${at}.key`, 'may not be empty')
  const type = optional(keys, 'type', oneOf(FIELD_TYPES))
  const choices = optional(keys, 'choices', STRINGS)
  if (type === 'choice' && !choices?.length) {
    throw invalidKey(
      `${at}.choices`,
      'must be a list of at least one string, since the type is choice',
    )
  }
  return withoutUndefined({
    key,
    name: optionalText(keys, 'name'),
    type,
    choices,
    default: field.default ?? undefined,
    hint: optionalText(keys, 'hint'),
    markdown: optionalText(keys, 'markdown'),
    order: optional(keys, 'order', NUMBER),
    required: optional(keys, 'required', BOOLEAN),
    secret: optional(keys, 'secret', BOOLEAN),
    address: optional(keys, 'address', BOOLEAN),
    column: optional(keys, 'column', BOOLEAN),
    required_if: optional(keys, 'required_if', CONDITIONS),
    visible_if: optional(keys, 'visible_if', CONDITIONS),
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
  const keys = { of: field, at }
  const types = oneOf(JOB_FIELD_TYPES)
  const type = optional(keys, 'type', types)
  if (!type) throw invalidKey(`${at}.type`, `must be ${types.expected}`)
  return withoutUndefined({
    type,
    title: optionalText(keys, 'title'),
    required: optional(keys, 'required', BOOLEAN),
    default: field.default ?? undefined,
    staff_only: optional(keys, 'staff_only', BOOLEAN),
  })
}

export function toReceives(receives: unknown): Receives | null {
  if (receives === undefined || receives === null) return null
  if (!isObject(receives)) throw invalidKey('receives', 'must be an object')
  const keys = { of: receives, at: 'receives' }
  const { verify = {}, respond = {} } = receives
  if (!isObject(verify)) throw invalidKey('receives.verify', 'must be an object')
  if (!isObject(respond)) throw invalidKey('receives.respond', 'must be an object')
  const answer = { of: respond, at: 'receives.respond' }
  const check = { of: verify, at: 'receives.verify' }
  const secret = optionalText(check, 'secret', 200)
  const kind = optional(check, 'kind', orSetting(oneOf(VERIFY_KINDS))) ?? 'none'
  if (kind !== 'none' && !secret) {
    throw invalidKey('receives.verify.secret', 'must name the setting that holds the secret')
  }
  return withoutUndefined({
    methods: optional(keys, 'methods', METHOD_LIST) ?? DEFAULT_RECEIVES.methods,
    verify: withoutUndefined({
      kind,
      secret,
      header: optional(check, 'header', orSetting(STRING)),
    }),
    id_header: optionalText(keys, 'id_header', 200),
    max_body: optional(keys, 'max_body', BODY_SIZE) ?? DEFAULT_RECEIVES.max_body,
    respond: {
      status: optional(answer, 'status', SUCCESS) ?? DEFAULT_RECEIVES.respond.status,
      body: optionalText(answer, 'body') ?? DEFAULT_RECEIVES.respond.body,
    },
  }) as Receives
}

const invalidKey = (key: string, problem: string): AppProblem =>
  new AppProblem(`${MANIFEST_FILE}: ${key} ${problem}.`)

const toPath = ({ at }: Keys, name: string): string => (at === undefined ? name : `${at}.${name}`)

function requireText(keys: Keys, name: string, maxLength: number): string {
  const text = optionalText(keys, name, maxLength)?.trim()
  if (!text) throw invalidKey(toPath(keys, name), 'is missing or empty')
  return text
}

function optionalText(keys: Keys, name: string, maxLength = 10_000): string | undefined {
  const text = optional(keys, name, STRING)
  if (text !== undefined && text.length > maxLength) {
    throw invalidKey(toPath(keys, name), `must have at most ${maxLength} characters`)
  }
  return text
}

/** Treats null as absent. */
function optional<T>(keys: Keys, name: string, { is, expected }: Kind<T>): T | undefined {
  const value = Object.hasOwn(keys.of, name) ? keys.of[name] : undefined
  if (value === undefined || value === null) return undefined
  if (!is(value)) throw invalidKey(toPath(keys, name), `must be ${expected}`)
  return value
}

/** A kind of value, and its name in messages. */
interface Kind<T> {
  readonly expected: string
  readonly is: (value: unknown) => value is T
}

const isString = (value: unknown): value is string => typeof value === 'string'
const STRING: Kind<string> = { expected: 'a string', is: isString }
const BOOLEAN: Kind<boolean> = {
  expected: 'true or false',
  is: (value) => typeof value === 'boolean',
}
const NUMBER: Kind<number> = { expected: 'a number', is: (value) => typeof value === 'number' }
const STRINGS: Kind<string[]> = {
  expected: 'a list of strings',
  is: (value): value is string[] => Array.isArray(value) && value.every(isString),
}
const CONDITIONS: Kind<unknown[][]> = {
  expected: 'a list of [key, value, ...] lists',
  is: (value): value is unknown[][] =>
    Array.isArray(value) &&
    value.every((pair) => Array.isArray(pair) && isString(pair[0]) && pair.length <= 2),
}
const oneOf = <T extends string>(choices: readonly T[]): Kind<T> => ({
  expected: `one of ${choices.join(', ')}`,
  is: (value): value is T => choices.some((choice) => choice === value),
})

/** A value, or the setting that has it. */
const orSetting = <T>({ is, expected }: Kind<T>): Kind<T | { setting: string }> => ({
  expected: `${expected}, or {"setting": "<key>"}`,
  is: (value): value is T | { setting: string } =>
    is(value) || (isObject(value) && isString(value.setting) && Object.keys(value).length === 1),
})

const METHOD_LIST: Kind<Method[]> = {
  expected: `a list of ${METHODS.join(', ')}`,
  is: (value): value is Method[] =>
    Array.isArray(value) && value.length > 0 && value.every((method) => METHODS.includes(method)),
}
const isBetween = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most
const BODY_SIZE: Kind<number> = {
  expected: `a number of bytes from 1 to ${MAX_BODY_BYTES}`,
  is: (value): value is number => isBetween(value, 1, MAX_BODY_BYTES),
}
const SUCCESS: Kind<number> = {
  expected: 'a status from 200 to 299',
  is: (value): value is number => isBetween(value, 200, 299),
}

const mapEntries = <T>(from: Entries, map: (value: unknown, key: string) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, map(value, key)]))

/** Stores only the keys that the manifest has. */
const withoutUndefined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
