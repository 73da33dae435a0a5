import type { Meta } from '../shared/app.ts'
import { toApp } from '../shared/to-app.ts'
import { importNewDays, importWindow, type Window } from './import.ts'

const run = (meta: Meta) => importNewDays(toApp(meta))

export const jobs = { 'Import now': (_payload: unknown, meta: Meta) => run(meta) }

export const runEveryHour = run

export const runBackfill = (window: Window, meta: Meta) => importWindow(toApp(meta), window)
