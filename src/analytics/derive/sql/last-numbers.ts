import { sql } from 'kysely'
import type { SqlRunner } from './runner.ts'

export interface LastNumbers {
  /** The highest number of an event, a person or an edit. */
  readonly seq: number
  /** The highest position of an edit. */
  readonly position: number
  /** The lowest number of a person, at most 0. */
  readonly lowestPerson: number
}

/** Finds the numbers that are used after a restore. `numbered` is the table that has the numbers of the events. */
export async function findLastNumbers(
  { run, edits }: SqlRunner,
  numbered: 'events' | 'facts',
): Promise<LastNumbers> {
  const [last] = await run<LastNumbers>(sql`
    select
      greatest(0, (select max(seq) from ${sql.table(numbered)}), (select max(number) from persons),
        (select max(up_to) from person_bases), (select max(${edits.seq}) from person_edits),
        (select max(${edits.seq}) from group_edits))::double precision as seq,
      greatest(0, (select max(position) from person_edits),
        (select max(position) from group_edits))::double precision as position,
      least(0, (select min(number) from persons),
        (select min(number) from persons_base))::double precision as "lowestPerson"`)
  return last as LastNumbers
}
