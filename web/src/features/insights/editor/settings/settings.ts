import type { DisplaySettings } from '#model/display-settings.ts'
import type { Display } from '#model/displays.ts'

/** A part of the display settings and its form. */
export interface SettingsProps {
  readonly settings: DisplaySettings
  /** Changes these settings; null removes one. */
  readonly set: (changed: DisplaySettings) => void
  /** The field of the query that holds the settings, for errors. */
  readonly path: string
  /** Undefined if the kind has one way to show its result. */
  readonly display: Display | undefined
  /** The columns of numbers of an SQL result, from which rules can choose one. */
  readonly columns: readonly string[]
}

/** An empty field removes the setting. A lone minus is not a number yet. */
export const toNumberOrNull = (value: string | number): number | null =>
  value === '' || Number.isNaN(Number(value)) ? null : Number(value)
