import type { Meta } from '../shared/app.ts'
import { toApp } from '../shared/to-app.ts'
import { importSheet } from './import.ts'

const run = (meta: Meta) => importSheet(toApp(meta))

export const jobs = { 'Import now': (_payload: unknown, meta: Meta) => run(meta) }

export const runEveryHour = run
