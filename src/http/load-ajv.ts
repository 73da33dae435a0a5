import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Loads Ajv at its first use: its 60 files take 40 ms, and a server compiles no schema before it is ready. */
export const loadAjv = (): typeof import('ajv') => require('ajv')

export const loadFormats = (): typeof import('ajv-formats').default => require('ajv-formats')
