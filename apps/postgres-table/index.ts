import type { Meta } from '../shared/app.ts'
import { toApp } from '../shared/to-app.ts'
import { importRows } from '../table/import.ts'
import { POSTGRES } from './table.ts'

export const jobs = {
  'Import now': (payload: unknown, meta: Meta) => importRows(toApp(meta), POSTGRES, payload),
}

export const runEveryHour = (meta: Meta) => importRows(toApp(meta), POSTGRES, {})
