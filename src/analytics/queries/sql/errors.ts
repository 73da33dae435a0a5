import { type ApiError, invalid } from '#server/errors.ts'

/** The path of the SQL in the request body, as PostHog names it. */
export const SQL_ATTR = 'query__query'

export const refuse = (detail: string): ApiError => invalid(SQL_ATTR, detail)

export const tooComplex = (): ApiError =>
  refuse(
    'The query is too complex: it has too many parts, or repeats them too often. Use fewer subqueries, conditions and references to names of WITH.',
  )

export const nestsTooDeeply = (): ApiError =>
  refuse('The query nests too deeply. Use fewer subqueries inside each other.')
