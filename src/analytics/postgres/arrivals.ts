import type { Tx } from '#server/db/schema.ts'
import { giveWay } from '#server/turns.ts'
import { toPersonTables } from '../derive/sql/person-tables.ts'
import { type EventBatch, toChunks } from '../event-batch.ts'
import type { EventRow } from '../event-row.ts'
import { readGroupTypes } from '../groups/group-event.ts'
import { GROUP_EVENT } from '../groups/group-keys.ts'
import { applyIdentityEvents } from '../identity/apply-identity-events.ts'
import type { IdentityChanges } from '../identity/identity.ts'
import {
  isPersonless,
  mayChangePerson,
  readPropertyTexts,
  toIdentityEvent,
} from '../identity/identity-event.ts'
import { toRunner } from './runner.ts'

/** The part of each event of a batch that stays in memory: its person and groups. */
export interface Arrival {
  readonly projectId: number
  readonly uuid: string
  readonly distinctId: string
  readonly timestamp: number
  readonly isPersonless: boolean
  readonly mayChangePerson: boolean
  readonly changesGroup: boolean
  /** The types of groups that it names. */
  readonly groupTypes: readonly string[]
}

export const toArrival = ({
  projectId,
  uuid,
  event,
  distinct_id,
  timestamp,
  properties,
}: EventRow): Arrival => ({
  projectId,
  uuid,
  distinctId: distinct_id,
  timestamp,
  isPersonless: isPersonless(properties),
  mayChangePerson: mayChangePerson(event, properties),
  changesGroup: event === GROUP_EVENT,
  groupTypes: readGroupTypes(event, properties),
})

export async function readArrivals(batch: EventBatch): Promise<Arrival[]> {
  const arrivals: Arrival[] = []
  for (const chunk of toChunks(batch)) {
    if (arrivals.length > 0) await giveWay()
    for (const row of chunk) arrivals.push(toArrival(row))
  }
  return arrivals
}

/** An event with its place in the order of arrival. */
export interface NumberedEvent {
  readonly arrival: Arrival
  readonly seq: number
  readonly row: Pick<EventRow, 'event' | 'properties'>
}

/**
 * Changes the persons of events, in their order of arrival. Returns the persons that were merged. `copies` are as in
 * `toPersonTables`.
 */
export const changePersons = (
  tx: Tx,
  events: readonly NumberedEvent[],
  copies: readonly string[],
): Promise<IdentityChanges['moves']> =>
  applyIdentityEvents(
    toPersonTables(toRunner(tx), copies),
    events
      .filter(({ arrival }) => arrival.mayChangePerson)
      .map(({ arrival, seq, row }) =>
        toIdentityEvent({ ...arrival, seq, event: row.event }, readPropertyTexts(row.properties)),
      ),
  )
