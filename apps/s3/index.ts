import type { Meta } from '../shared/app.ts'
import { toApp } from '../shared/to-app.ts'
import { importFiles } from './import.ts'

const run = (meta: Meta) => importFiles(toApp(meta))

export const jobs = { 'Import now': (_payload: unknown, meta: Meta) => run(meta) }

export const runEveryHour = run
