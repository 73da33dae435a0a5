import { sql } from 'kysely'
import type { Db } from '#server/db/schema.ts'
import type { ClickHouse } from '../connection.ts'

/** Above this number, queries of merged persons would take noticeably longer. */
const MAX_MOVES = 10_000
/** The moves of one statement. */
const STEP = 50_000

interface Move {
  readonly number: number
  readonly person: number
}

/** Lists moves to apply: all if there are many, or if `isQuiet`. Each statement reads every event, so they are gathered. */
export async function listMoves(
  db: Db,
  { isQuiet }: { readonly isQuiet: boolean },
): Promise<readonly Move[]> {
  const { rows: moves } = await sql<Move>`
    select number, person from person_moves order by number limit ${sql.lit(STEP)}`.execute(db)
  return moves.length < MAX_MOVES && !isQuiet ? [] : moves
}

/** Gives the events of merged persons their new number. ClickHouse must have all events that came in before the moves. */
export async function applyMoves(
  db: Db,
  { run, layout }: ClickHouse,
  moves: readonly Move[],
): Promise<void> {
  if (moves.length === 0) return
  const numbers = moves.map(({ number }) => number)
  const persons = moves.map(({ person }) => person)
  await run(`alter table ${layout.events} ${layout.onCluster}
    update person = transform(person, [${numbers}], [${persons}], person) where person in (${numbers})`)
  // one that was moved again meanwhile stays, and so do its events
  await sql`
    delete from person_moves using unnest(${numbers}::bigint[], ${persons}::bigint[]) as applied (number, person)
    where person_moves.number = applied.number and person_moves.person = applied.person`.execute(db)
}
