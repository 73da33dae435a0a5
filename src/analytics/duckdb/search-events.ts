import type { DuckDBConnection } from '@duckdb/node-api'
import type { SeqRange } from '../derive/derived-tables.ts'
import { GROUP_EVENT, GROUPS_KEY } from '../groups/group-keys.ts'
import { IDENTIFYING_EVENTS } from '../identity/identity-event.ts'
import { quote } from './facts.ts'

export const IN_RANGE = 'seq > $after::bigint and seq <= $upTo::bigint'

const IDENTIFYING = IDENTIFYING_EVENTS.map(quote).join()

/** Matches `$set`, `$set_once`, `$unset` and `$process_person_profile` after their first character. */
const PERSON_KEYS = 'set|unset|process_person_profile'

/** Finds the events that may change a person by their text, which takes a quarter of the time of parsing each. */
export const MAY_CHANGE = `(event in (${IDENTIFYING})
  or regexp_matches(properties, '"\\$(${PERSON_KEYS})'))`

/** Finds the events that may name or change a group. */
export const MAY_HAVE_GROUPS = `(event = '${GROUP_EVENT}' or contains(properties, '"${GROUPS_KEY}"'))`

const MAY_DO_EITHER = `(event in (${IDENTIFYING}, '${GROUP_EVENT}')
  or regexp_matches(properties, '"\\$(${PERSON_KEYS}|groups")'))`

const findAny = (condition: string): string =>
  `(select true from events where ${IN_RANGE} and ${condition} limit 1)`

const FIND_EITHER = `select ${findAny(MAY_DO_EITHER)}`
const FIND_EACH = `select ${findAny(MAY_CHANGE)}, ${findAny(MAY_HAVE_GROUPS)}`

interface Found {
  readonly mayChangePersons: boolean
  readonly mayHaveGroups: boolean
}

/** Says what the events of a range may change, in one look at their text if that is nothing. */
export async function scanEvents(connection: DuckDBConnection, range: SeqRange): Promise<Found> {
  const find = async (statement: string) =>
    (await connection.runAndReadAll(statement, { ...range })).getRows()[0] ?? []
  const [either] = await find(FIND_EITHER)
  if (!either) return { mayChangePersons: false, mayHaveGroups: false }
  const [person, group] = await find(FIND_EACH)
  return { mayChangePersons: person === true, mayHaveGroups: group === true }
}
