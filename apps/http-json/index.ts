import type { Meta } from '../shared/app.ts'
import { surroundings } from '../shared/surroundings.ts'
import { importItems } from './import.ts'

export const jobs = {
  'Import now': (payload: unknown, meta: Meta) => importItems(surroundings(meta), payload),
}

export const runEveryHour = (meta: Meta) => importItems(surroundings(meta), {})
