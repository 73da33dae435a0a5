import type { Meta } from '../shared/app.ts'
import { surroundings } from '../shared/surroundings.ts'
import { generateHistory, goOn } from './generate.ts'

export const jobs = {
  'Generate events': (payload: unknown, meta: Meta) =>
    generateHistory(surroundings(meta), payload, Date.now()),
}

export const runEveryHour = (meta: Meta) => goOn(surroundings(meta), Date.now())
