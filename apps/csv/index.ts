import type { Meta } from '../shared/app.ts'
import { surroundings } from '../shared/surroundings.ts'
import { importIfChanged, importNow } from './import.ts'

export const jobs = {
  'Import now': (payload: unknown, meta: Meta) => importNow(surroundings(meta), payload),
}

export const runEveryHour = (meta: Meta) => importIfChanged(surroundings(meta))
