import type { ChartMark } from '#model/chart.ts'
import type { Db } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { ApiError, invalid } from '#server/errors.ts'
import type { RefreshPolicy } from '#server/features/results/cache/refresh.ts'
import type { QueryResult, Results } from '#server/features/results/results.ts'
import { findTileResults } from '../dashboards/tile-results.ts'
import type { TileRow } from '../tiles/store.ts'
import type { OpenPage, PageRules } from './open-link.ts'
import { findCurrent, findShownMarks, type LinkPage, listShownTiles } from './shown.ts'
import { listSnapshotTiles, type SnapshotPart } from './snapshot-store.ts'

/** The tiles of a link with their results and annotations. */
export interface ShownTiles {
  readonly tiles: readonly TileRow[]
  readonly tileResults: ReadonlyMap<number, QueryResult>
  readonly toMarks: (tile: TileRow) => ChartMark[]
}

interface FrozenTiles extends ShownTiles {
  /** The moment of the results. */
  readonly at: string
}

/** A stored tile, without its result. */
interface FrozenTile {
  readonly tile: TileRow
  readonly found:
    | (Omit<QueryResult, 'problem'> & {
        readonly problem: Pick<ApiError, 'code' | 'message'> | null
      })
    | null
  readonly marks: ChartMark[]
}

export interface Snapshot {
  readonly at: string
  readonly parts: readonly SnapshotPart[]
}

interface FreezeDeps {
  readonly db: Db
  readonly results: Results
  /** Waits for fresh results. */
  readonly policy: RefreshPolicy
}

/** Allows as much as one result can have. */
const MAX_LENGTH = 8 * 1024 * 1024

/** Reads what a link would show now, with fresh results, to be stored as it is. */
export async function takeSnapshot(
  { db, results, policy }: FreezeDeps,
  page: LinkPage,
): Promise<Snapshot> {
  const shown = await findCurrent(db, page)
  if (!shown) throw invalid('snapshot_at', 'It is in the trash. Restore it first.')
  const tiles = await listShownTiles(db, shown)
  const tileResults = await findTileResults(results, shown, tiles, {
    policy,
    sections: 'open',
    hidesPersons: true,
  })
  const at = now()
  const toMarks = await findShownMarks(db, page, shown)
  const parts = tiles.map((tile, index) => {
    const result = tileResults.get(tile.id)
    const frozen: FrozenTile = {
      tile,
      found: result ? toFrozen(result, at) : null,
      marks: toMarks(tile),
    }
    return {
      position: index + 1,
      content: JSON.stringify(frozen),
      results: result?.row?.results ?? null,
    }
  })
  const head = { position: 0, content: JSON.stringify(shown), results: null }
  return { at, parts: requireSize([head, ...parts]) }
}

/** Without the result, which has a column of its own. The key names this moment, so that caches keep it apart. */
function toFrozen({ key, row, problem, ...result }: QueryResult, at: string): FrozenTile['found'] {
  return {
    ...result,
    key: `${key} ${at}`,
    row: row && { ...row, results: null },
    isRunning: false,
    problem: problem ? { code: problem.code, message: problem.message } : null,
  }
}

function requireSize(parts: readonly SnapshotPart[]): readonly SnapshotPart[] {
  const length = parts.reduce((sum, { content, results }) => {
    return sum + content.length + (results?.length ?? 0)
  }, 0)
  if (length <= MAX_LENGTH) return parts
  throw invalid(
    'snapshot_at',
    `The results have more than ${MAX_LENGTH / 1024 / 1024} million characters. Remove tiles with large tables first.`,
  )
}

/** Reads the tiles of a frozen link. undefined: it is not frozen. */
export async function findFrozenTiles(
  db: Db,
  { id, snapshot_at, shows_annotations }: PageRules,
): Promise<FrozenTiles | undefined> {
  if (snapshot_at === null) return undefined
  const parts = await listSnapshotTiles(db, Number(id)) // only links are frozen
  const frozen = parts.map(({ content, results }) => ({
    ...(JSON.parse(content) as FrozenTile),
    results,
  }))
  const marks = new Map(frozen.map((each) => [each.tile.id, each.marks]))
  return {
    at: snapshot_at,
    tiles: frozen.map(({ tile }) => tile),
    tileResults: new Map(
      frozen.flatMap(({ tile, found, results }) =>
        found ? [[tile.id, toResult(found, results)] as const] : [],
      ),
    ),
    toMarks: ({ id: tileId }) => (shows_annotations ? (marks.get(tileId) ?? []) : []),
  }
}

const toResult = (
  { row, problem, ...found }: NonNullable<FrozenTile['found']>,
  results: string | null,
): QueryResult => ({
  ...found,
  row: row && { ...row, results },
  problem: problem ? new ApiError(problem.code, problem.message) : undefined,
})

type Options = Parameters<typeof findTileResults>[3]

/** Reads the tiles that a link shows, with the results of now or of the moment when it was frozen. */
export async function readShownTiles(
  { db, results }: Pick<FreezeDeps, 'db' | 'results'>,
  { link, shown }: OpenPage,
  options: Options,
): Promise<ShownTiles> {
  const frozen = await findFrozenTiles(db, link)
  if (frozen) return frozen
  const tiles = await listShownTiles(db, shown)
  return {
    tiles,
    tileResults: await findTileResults(results, shown, tiles, { ...options, hidesPersons: true }),
    toMarks: await findShownMarks(db, link, shown),
  }
}
