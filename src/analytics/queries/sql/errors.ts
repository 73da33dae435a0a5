import { type ApiError, invalid } from '#server/errors.ts'

/** Upstream's path: `query` in the body's `query`. */
const ATTR = 'query__query'

export const refuse = (detail: string): ApiError => invalid(ATTR, detail)

export const tooComplex = (): ApiError =>
  refuse('The query is too complex: it has too many parts, or nests too deeply. Ask for less.')
