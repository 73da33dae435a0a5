import { listDestinationKeys } from '#model/destination.ts'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import type { ConfigField } from '#server/features/import-apps/plugins/schema.ts'
import type { PreviewColumn } from '#server/features/import-apps/previews/schema.ts'
import type { SettingsChange } from '../api.ts'
import { appManifest } from '../status.ts'

export type Setting = ConfigField & { readonly key: string }

/** An attachment as a config lists it. */
export interface StoredFile {
  readonly name: string
  readonly size: number
}

/** Form state by key; a secret's text exists only while it is typed. */
export interface SettingsDraft {
  readonly texts: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, File>>
  /** Files and secrets to remove. */
  readonly cleared: readonly string[]
}

export interface FieldProps {
  readonly config: PipelineConfig
  readonly draft: SettingsDraft
  readonly isRequired: boolean
  /** Why a stored secret must be entered again. */
  readonly reentry: string | undefined
  readonly error: string | undefined
  /** The columns that a preview found. */
  readonly columns: readonly PreviewColumn[]
  readonly onChange: (draft: SettingsDraft) => void
}

export interface SettingProps extends FieldProps {
  readonly setting: Setting
}

/** The label and the messages of an input for a value that is not shown: a secret or a file. */
export const toHiddenProps = ({ setting, reentry, isRequired, error }: SettingProps) => ({
  label: settingLabel(setting),
  description: reentry ?? setting.hint,
  withAsterisk: isRequired || reentry !== undefined,
  error,
})

export const settingLabel = ({ key, name }: Setting): string => name || key

export const configFields = (config: PipelineConfig): readonly ConfigField[] =>
  appManifest(config)?.config_schema ?? []

export const isSetting = (field: ConfigField): field is Setting => field.key !== undefined

export const storedSettings = (config: PipelineConfig): Readonly<Record<string, unknown>> =>
  JSON.parse(config.config)

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

export function toSettingsDraft(config: PipelineConfig): SettingsDraft {
  const stored = storedSettings(config)
  const texts = configFields(config)
    .filter(isSetting)
    .filter(({ type }) => type !== 'attachment')
    .map((setting) => [setting.key, toText(setting, stored[setting.key])])
  return { texts: Object.fromEntries(texts), files: {}, cleared: [] }
}

function toText({ secret, default: defaultValue }: Setting, stored: unknown): string {
  if (secret) return ''
  const value = stored ?? defaultValue
  if (isEmpty(value)) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

export function isChanged(
  config: PipelineConfig,
  { texts, files, cleared }: SettingsDraft,
): boolean {
  const before = toSettingsDraft(config).texts
  const isTyped = Object.entries(texts).some(([key, text]) => before[key] !== text)
  return isTyped || cleared.length > 0 || Object.keys(files).length > 0
}

/** Returns each setting's value if the form were saved now, to evaluate conditions. */
export function effectiveValues(
  config: PipelineConfig,
  draft: SettingsDraft,
): Readonly<Record<string, unknown>> {
  const stored = storedSettings(config)
  const settings = configFields(config).filter(isSetting)
  return Object.fromEntries(
    settings.map(({ key, type, secret }) => {
      const typed = type === 'attachment' ? draft.files[key] : draft.texts[key]
      const keepsStored = (secret || type === 'attachment') && !draft.cleared.includes(key)
      return [key, isEmpty(typed) && keepsStored ? stored[key] : typed]
    }),
  )
}

type Values = Readonly<Record<string, unknown>>

/** All conditions must match: a key with the values of which it has one, or with none for any value. */
const matches = (conditions: readonly (readonly unknown[])[], values: Values): boolean =>
  conditions.every(([key, ...wanted]) => {
    const value = values[String(key)]
    return wanted.length === 0 ? !isEmpty(value) : wanted.includes(value)
  })

export const isVisible = ({ visible_if }: ConfigField, values: Values): boolean =>
  visible_if === undefined || matches(visible_if, values)

export const isRequired = ({ required, required_if }: ConfigField, values: Values): boolean =>
  required === true || (required_if !== undefined && matches(required_if, values))

/** Required settings without a value, by key. */
export function findMissing(config: PipelineConfig, draft: SettingsDraft): Record<string, string> {
  const values = effectiveValues(config, draft)
  const missing = configFields(config)
    .filter(isSetting)
    .filter((field) => isVisible(field, values) && isRequired(field, values))
    .filter(({ key }) => isEmpty(values[key]))
  return Object.fromEntries(missing.map(({ key }) => [key, 'Required.']))
}

/** Finds why stored secrets must be entered again, by key. Empty while the destination is unchanged. */
export function findReentries(
  config: PipelineConfig,
  draft: SettingsDraft,
  isAdmin: boolean,
): Readonly<Record<string, string>> {
  const settings = configFields(config).filter(isSetting)
  const destination = new Set(listDestinationKeys(settings, isAdmin))
  const before = toSettingsDraft(config).texts
  const moved = settings
    .filter(({ key }) => destination.has(key))
    .filter(({ key }) => draft.texts[key] !== before[key] || isFileOrCleared(draft, key))
  if (moved.length === 0) return {}
  const stored = storedSettings(config)
  const secrets = settings.filter(({ key, secret }) => secret && !isEmpty(stored[key]))
  const changed = moved.map(settingLabel).join(', ')
  const reason = `You changed ${changed}, which may send this secret elsewhere. Enter it again.`
  return Object.fromEntries(
    secrets.filter((one) => !moved.includes(one)).map(({ key }) => [key, reason]),
  )
}

const isFileOrCleared = ({ files, cleared }: SettingsDraft, key: string): boolean =>
  files[key] !== undefined || cleared.includes(key)

/** Secrets that must be entered again and are not, by key. */
export const findMissingReentries = (
  reentries: Readonly<Record<string, string>>,
  draft: SettingsDraft,
): Record<string, string> =>
  Object.fromEntries(
    Object.keys(reentries)
      .filter((key) => isEmpty(draft.texts[key]) && !isFileOrCleared(draft, key))
      .map((key) => [key, 'Enter it again.']),
  )

/** Builds the request. Omitted settings are removed, but secrets and files must be cleared explicitly. */
export function toSettingsChange(config: PipelineConfig, draft: SettingsDraft): SettingsChange {
  const settings = configFields(config)
    .filter(isSetting)
    .flatMap((setting) => toEntry(setting, draft))
  const files = configFields(config).filter(({ type }) => type === 'attachment')
  return {
    settings: Object.fromEntries(settings),
    files: draft.files,
    removed: draft.cleared.filter((cleared) => files.some(({ key }) => key === cleared)),
  }
}

function toEntry(
  { key, type, secret, required }: Setting,
  draft: SettingsDraft,
): [string, string][] {
  const text = draft.texts[key] ?? ''
  if (type === 'attachment') return []
  if (text !== '') return [[key, text]]
  if (secret) return draft.cleared.includes(key) ? [[key, '']] : []
  // an empty text is a value, except for JSON, choices and required settings
  return type === 'json' || type === 'choice' || required ? [] : [[key, '']]
}
