import type { Meta } from '../shared/app.ts'
import { surroundings } from '../shared/surroundings.ts'
import { importRows } from './import.ts'

export const jobs = {
  'Import now': (payload: unknown, meta: Meta) => importRows(surroundings(meta), payload),
}

export const runEveryHour = (meta: Meta) => importRows(surroundings(meta), {})
