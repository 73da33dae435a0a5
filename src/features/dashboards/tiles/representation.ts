import { type JsonText, quoted } from '../../../http/json-text.ts'
import type { PeopleText } from '../representation.ts'
import type { TileRow } from './store.ts'

/** Whom the tiles name. */
export const peopleOf = (rows: readonly TileRow[]): (number | null)[] =>
  rows.flatMap((row) => [row.created_by, row.last_modified_by])

export const toTiles = (
  projectId: number,
  rows: readonly TileRow[],
  people: PeopleText,
): JsonText[] =>
  rows.map((row, order) => {
    const insight = row.insight_id === null ? null : toInsight(row, people)
    const text = row.text_id === null ? null : toText(projectId, row, people)
    return `{"id":${row.id},"layouts":${row.layouts},"color":${quoted(row.color)},"insight":${insight},"text":${text},"order":${order},"last_refresh":null,"is_cached":false}` as JsonText
  })

const toInsight = (row: TileRow, people: PeopleText): string =>
  `{"id":${row.insight_id},"short_id":"${row.short_id}","name":${quoted(row.name)},"description":${quoted(row.description)},"query":${row.query},"tags":${row.tags},"is_sample":${row.is_sample === 1},"deleted":${row.deleted === 1},"created_at":"${row.created_at}","created_by":${people(row.created_by)},"last_modified_at":"${row.last_modified_at}","last_modified_by":${people(row.last_modified_by)},"last_refresh":null,"is_cached":false,"result":null}`

const toText = (projectId: number, row: TileRow, people: PeopleText): string =>
  `{"id":${row.text_id},"body":${quoted(row.body)},"created_by":${people(row.created_by)},"last_modified_at":"${row.last_modified_at}","last_modified_by":${people(row.last_modified_by)},"team":${projectId}}`
