import type { Caller } from '#server/access/guard.ts'
import type { Requester } from '#server/access/requester.ts'
import { invalid } from '#server/errors.ts'
import { type CohortDeps, createCohort } from './cohorts.ts'
import { MAX_MEMBERS } from './fields.ts'
import type { CohortMember } from './members-store.ts'
import type { Cohort, CohortCreate } from './schema.ts'

export interface MemberQuery {
  /** An ActorsQuery. */
  readonly query: object
  /** Stops after this number of members. */
  readonly limit: number
  readonly requester: Requester
  readonly signal: AbortSignal
}

export interface FromQueryDeps extends CohortDeps {
  /** Finds the persons of a query. Passed in by the domain of queries, which depends on this one. */
  findQueryMembers(caller: Caller, query: MemberQuery): Promise<CohortMember[]>
}

/** Creates a static cohort of all persons that a query finds now. */
export async function createCohortFromQuery(
  deps: FromQueryDeps,
  caller: Caller,
  input: Omit<MemberQuery, 'limit'> & { readonly body: CohortCreate },
): Promise<Cohort> {
  const { body, query, requester, signal } = input
  if (!body.is_static) throw invalid('query', 'Only a static cohort has a list of members.')
  const limit = MAX_MEMBERS + 1
  const members = await deps.findQueryMembers(caller, { query, limit, requester, signal })
  if (members.length > MAX_MEMBERS) {
    throw invalid('query', `A static cohort has at most ${MAX_MEMBERS} members.`)
  }
  return createCohort(deps, caller, body, members)
}
