import type { Meta } from '../shared/app.ts'
import { toApp } from '../shared/to-app.ts'
import { importRows } from '../table/import.ts'
import { MYSQL } from './table.ts'

export const jobs = {
  'Import now': (payload: unknown, meta: Meta) => importRows(toApp(meta), MYSQL, payload),
}

export const runEveryHour = (meta: Meta) => importRows(toApp(meta), MYSQL, {})
