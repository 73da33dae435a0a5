import type { Meta } from '../shared/app.ts'
import { toApp } from '../shared/to-app.ts'
import { importRows } from './import.ts'

export const jobs = {
  'Import now': (payload: unknown, meta: Meta) => importRows(toApp(meta), payload),
}

export const runEveryHour = (meta: Meta) => importRows(toApp(meta), {})
