import type { Meta } from '../shared/app.ts'
import { toApp } from '../shared/to-app.ts'
import type { Connector } from './connector.ts'
import { importNew, importWindow, type Window } from './import.ts'

/** Returns the exports of an app that has only a connector. */
export function createExports(connector: Connector) {
  const run = (meta: Meta) => importNew(toApp(meta), connector)
  const canImportPast = connector.streams.some(({ incremental }) => incremental?.to_parameter)
  return {
    jobs: { 'Import now': (_payload: unknown, meta: Meta) => run(meta) },
    runEveryHour: run,
    ...(canImportPast && {
      runBackfill: (window: Window, meta: Meta) => importWindow(toApp(meta), connector, window),
    }),
  }
}
