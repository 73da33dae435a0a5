import type { ConfigPreview } from '#server/features/import-apps/previews/schema.ts'
import { type Setting, settingLabel } from './setting-rules.ts'

type Outcome = Pick<ConfigPreview, 'state' | 'message' | 'skipped' | 'count'>
type Problems = Readonly<Record<string, string>>

/** Finds the fields that a preview has a problem with, by key. Apps name a setting or its value in quotes. */
export function findProblems(
  settings: readonly Setting[],
  values: Readonly<Record<string, unknown>>,
  outcome: Outcome,
): Problems {
  const ofColumns = settings.filter(({ column }) => column)
  const [row] = outcome.count === 0 ? outcome.skipped : []
  const named = row && ofColumns.find(({ key }) => isQuoted(values[key], row.reason))
  if (named && row) return { [named.key]: row.reason }
  if (outcome.state === 'succeeded') return {}
  const told = settings.find((setting) =>
    outcome.message.includes(`Set "${settingLabel(setting)}"`),
  )
  const found = told ?? settings.find((setting) => isQuoted(settingLabel(setting), outcome.message))
  return found ? { [found.key]: outcome.message } : {}
}

const isQuoted = (value: unknown, text: string): boolean =>
  typeof value === 'string' && value !== '' && text.includes(`"${value}"`)
