import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import type { ConfigField } from '#server/features/import-apps/plugins/schema.ts'
import type { SettingsChange } from './api.ts'
import { appOf } from './config-info.ts'

export type Setting = ConfigField & { readonly key: string }

/** A file as a config shows it. */
export interface StoredFile {
  readonly name: string
  readonly size: number
}

/** What the form holds, by key; a secret's text only while it is typed. */
export interface Draft {
  readonly texts: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, File>>
  /** Files and secrets that are to go. */
  readonly cleared: readonly string[]
}

export interface FieldProps {
  readonly config: PipelineConfig
  readonly draft: Draft
  readonly isRequired: boolean
  readonly error: string | undefined
  readonly onChange: (draft: Draft) => void
}

export const labelOf = ({ key, name }: Setting): string => name || key

export const fieldsOf = (config: PipelineConfig): readonly ConfigField[] =>
  appOf(config)?.config_schema ?? []

export const isSetting = (field: ConfigField): field is Setting => field.key !== undefined

export const storedOf = (config: PipelineConfig): Readonly<Record<string, unknown>> =>
  JSON.parse(config.config)

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

export function toDraft(config: PipelineConfig): Draft {
  const stored = storedOf(config)
  const texts = fieldsOf(config)
    .filter(isSetting)
    .filter(({ type }) => type !== 'attachment')
    .map((setting) => [setting.key, toText(setting, stored[setting.key])])
  return { texts: Object.fromEntries(texts), files: {}, cleared: [] }
}

function toText({ secret, default: byDefault }: Setting, stored: unknown): string {
  if (secret) return ''
  const value = stored ?? byDefault
  if (isEmpty(value)) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

export function isChanged(config: PipelineConfig, { texts, files, cleared }: Draft): boolean {
  const before = toDraft(config).texts
  const isTyped = Object.entries(texts).some(([key, text]) => before[key] !== text)
  return isTyped || cleared.length > 0 || Object.keys(files).length > 0
}

/** What each setting would be if the form were saved now: enough to tell what depends on it. */
export function valuesOf(config: PipelineConfig, draft: Draft): Readonly<Record<string, unknown>> {
  const stored = storedOf(config)
  const settings = fieldsOf(config).filter(isSetting)
  return Object.fromEntries(
    settings.map(({ key, type, secret }) => {
      const typed = type === 'attachment' ? draft.files[key] : draft.texts[key]
      const keeps = (secret || type === 'attachment') && !draft.cleared.includes(key)
      return [key, isEmpty(typed) && keeps ? stored[key] : typed]
    }),
  )
}

type Values = Readonly<Record<string, unknown>>

/** All pairs must match; one without a value asks only that something is set. */
const holds = (pairs: readonly (readonly unknown[])[], values: Values): boolean =>
  pairs.every(([key, ...wanted]) => {
    const value = values[String(key)]
    return wanted.length === 0 ? !isEmpty(value) : value === wanted[0]
  })

export const isVisible = ({ visible_if }: ConfigField, values: Values): boolean =>
  visible_if === undefined || holds(visible_if, values)

export const isRequired = ({ required, required_if }: ConfigField, values: Values): boolean =>
  required === true || (required_if !== undefined && holds(required_if, values))

/** By key: what stands in the way of running it. */
export function findMissing(config: PipelineConfig, draft: Draft): Record<string, string> {
  const values = valuesOf(config, draft)
  const missing = fieldsOf(config)
    .filter(isSetting)
    .filter((field) => isVisible(field, values) && isRequired(field, values))
    .filter(({ key }) => isEmpty(values[key]))
  return Object.fromEntries(missing.map(({ key }) => [key, 'It cannot run without this.']))
}

/** As the server wants it: what is not sent is gone, but for secrets and files, which have to be cleared. */
export function toChange(config: PipelineConfig, draft: Draft): SettingsChange {
  const settings = fieldsOf(config)
    .filter(isSetting)
    .flatMap((setting) => toEntry(setting, draft))
  const files = fieldsOf(config).filter(({ type }) => type === 'attachment')
  return {
    settings: Object.fromEntries(settings),
    files: draft.files,
    removed: draft.cleared.filter((cleared) => files.some(({ key }) => key === cleared)),
  }
}

function toEntry({ key, type, secret, required }: Setting, draft: Draft): [string, string][] {
  const text = draft.texts[key] ?? ''
  if (type === 'attachment') return []
  if (text !== '') return [[key, text]]
  if (secret) return draft.cleared.includes(key) ? [[key, '']] : []
  // an empty text is a value of its own, but neither JSON nor a choice, nor what is required
  return type === 'json' || type === 'choice' || required ? [] : [[key, '']]
}
