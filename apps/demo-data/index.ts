import type { Meta } from '../shared/app.ts'
import { toApp } from '../shared/to-app.ts'
import { generateHistory, goOn } from './generate.ts'

export const jobs = {
  'Generate events': (payload: unknown, meta: Meta) =>
    generateHistory(toApp(meta), payload, Date.now()),
}

export const runEveryHour = (meta: Meta) => goOn(toApp(meta), Date.now())
