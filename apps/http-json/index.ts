import type { Meta } from '../shared/app.ts'
import { toApp } from '../shared/to-app.ts'
import { importItems } from './import.ts'
import { toBackfillUrl, type Window } from './settings.ts'

export const jobs = {
  'Import now': (payload: unknown, meta: Meta) => importItems(toApp(meta), payload),
}

export const runEveryHour = (meta: Meta) => importItems(toApp(meta), {})

/** Imports one window of the past. Its position is kept apart from that of other runs. */
export const runBackfill = (window: Window, meta: Meta) =>
  importItems(toApp(meta), {}, toBackfillUrl(meta, window))
