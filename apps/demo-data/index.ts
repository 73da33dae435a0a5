import type { Meta } from '../shared/app.ts'
import { toApp } from '../shared/to-app.ts'
import { continueHistory, generateHistory } from './generate.ts'

export const jobs = {
  'Generate events': (payload: unknown, meta: Meta) =>
    generateHistory(toApp(meta), payload, Date.now()),
}

export const runEveryHour = (meta: Meta) => continueHistory(toApp(meta), Date.now())
