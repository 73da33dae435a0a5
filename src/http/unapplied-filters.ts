import type { FastifyInstance } from 'fastify'
import { invalid } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Parameters of PostHog's route that this one does not apply. They are refused by name. */
    unappliedFilters?: readonly string[]
  }
}

/** Refuses filters that are not applied, because the caller would mistake the whole list for the filtered one. */
export function installUnappliedFilters(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ routeOptions, query }) => {
    const { unappliedFilters = [] } = routeOptions.config
    const sent = unappliedFilters.find((name) => Object.hasOwn(query as object, name))
    if (sent) throw invalid(sent, `"${sent}" cannot be applied here. Remove it.`)
  })
}

/** Names the refused parameters in the description of an operation. */
export const unappliedNote = (names: readonly string[] = []): string =>
  names.length === 0
    ? ''
    : `Refuses parameters of PostHog's that it does not apply: ${names.map((name) => `\`${name}\``).join(', ')}.`
