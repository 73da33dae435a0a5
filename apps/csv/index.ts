import type { Meta } from '../shared/app.ts'
import { toApp } from '../shared/to-app.ts'
import { importIfChanged, importNow } from './import.ts'

export const jobs = {
  'Import now': (payload: unknown, meta: Meta) => importNow(toApp(meta), payload),
}

export const runEveryHour = (meta: Meta) => importIfChanged(toApp(meta))
