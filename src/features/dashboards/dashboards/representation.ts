import { type JsonText, quoted } from '#server/http/json-text.ts'
import { effectiveDashboardPrivilege, type Member } from './rights.ts'
import type { DashboardRow, ListedRow } from './store.ts'

/** People as JSON, by their id. */
export type UserTexts = (id: number | null) => JsonText

export const toListItem = (
  person: Member,
  row: ListedRow,
  people: UserTexts,
  withModified = false,
): JsonText =>
  `{${sharedFields(row, people)},"tags":${row.tags},${levelFields(person, row)}${withModified ? `,"last_modified_at":"${row.last_modified_at}"` : ''}}` as JsonText

export const toDashboard = (
  person: Member,
  row: DashboardRow,
  tiles: readonly JsonText[],
  people: UserTexts,
): JsonText =>
  `{${sharedFields(row, people)},"use_template":${quoted(row.use_template)},"use_dashboard":${row.use_dashboard},"delete_insights":false,"filters":${row.filters},"variables":${row.variables},"tags":${row.tags},"tiles":[${tiles.join()}],${levelFields(person, row)}}` as JsonText

const sharedFields = (row: ListedRow, people: UserTexts): string =>
  `"id":${row.id},"name":${quoted(row.name)},"description":${quoted(row.description)},"pinned":${row.pinned === 1},"created_at":"${row.created_at}","created_by":${people(row.created_by)},"is_shared":${row.is_shared === 1},"deleted":${row.deleted === 1},"creation_mode":"${row.creation_mode}"`

const levelFields = (person: Member, row: ListedRow): string =>
  `"restriction_level":${row.restriction_level},"effective_restriction_level":${row.restriction_level},"effective_privilege_level":${effectiveDashboardPrivilege(person, row)}`
