import type { Meta } from '../shared/app.ts'
import { toApp } from '../shared/to-app.ts'
import { importItems } from './import.ts'

export const jobs = {
  'Import now': (payload: unknown, meta: Meta) => importItems(toApp(meta), payload),
}

export const runEveryHour = (meta: Meta) => importItems(toApp(meta), {})
