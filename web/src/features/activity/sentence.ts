import { pluralize } from '#model/pluralize.ts'
import type { Activity, Change, LoggedActivity } from '#server/features/activity/schema.ts'

/** An entry of the project's log, or of one item's log, which has no `item`. */
export type Entry = Activity & Partial<Pick<LoggedActivity, 'item'>>

/** Part of a sentence: plain text, the user, the item, or a user-entered value. */
export interface Piece {
  readonly kind: 'text' | 'user' | 'item' | 'value'
  readonly text: string
}

const NOUNS: Readonly<Record<string, string>> = {
  Dashboard: 'dashboard',
  Insight: 'insight',
  Alert: 'alert',
  Subscription: 'subscription',
  PluginConfig: 'import app',
  Plugin: 'app',
  Project: 'project',
  Person: 'person',
  Cohort: 'cohort',
  Action: 'action',
  SavedView: 'saved view',
  Group: 'group',
  EventDefinition: 'event',
  PropertyDefinition: 'property',
}

/** `*` stands for the noun and the name of the item. */
const SENTENCES: Readonly<Record<string, string>> = {
  created: 'created *',
  updated: 'updated *',
  deleted: 'moved * to trash',
  'Alert deleted': 'deleted *',
  'Subscription deleted': 'deleted *',
  'Person deleted': 'deleted *',
  split_person: 'split *',
  restored: 'restored * from trash',
  removed: 'permanently deleted *',
  enabled: 'enabled *',
  disabled: 'disabled *',
  fired: '* fired',
  resolved: '* resolved',
  'secret rotated': 'rotated the signing secret of *',
  'collaborator added': 'added a collaborator to *',
  'collaborator removed': 'removed a collaborator from *',
  'sharing enabled': 'shared * with a public link',
  'sharing disabled': 'removed the public link to *',
  'sharing link replaced': 'replaced the public link to *',
  'public link added': 'added a public link to *',
  'public link changed': 'changed a public link to *',
  'public link revoked': 'revoked a public link to *',
  'public link guest added': 'invited a guest to a public link to *',
  'public link guest removed': 'removed a guest of a public link to *',
  commented: 'commented on *',
  'comment edited': 'edited a comment on *',
  'comment deleted': 'deleted a comment on *',
  'comment restored': 'restored a comment on *',
  'comment resolved': 'resolved a comment on *',
  'comment reopened': 'reopened a comment on *',
  config_updated: 'updated the settings of *',
  backfill_started: 'started a backfill of *',
  backfill_paused: 'paused a backfill of *',
  backfill_resumed: 'resumed a backfill of *',
  backfill_canceled: 'canceled a backfill of *',
  state_changed: 'changed the state of *',
  state_deleted: 'deleted the state of *',
  order_changed: 'reordered *',
  migrated: 'migrated * to the latest app version',
  installed: 'installed *',
  uninstalled: 'uninstalled *',
  upgraded: 'upgraded *',
  source_updated: 'edited the source of *',
  attachment_created: 'added a file to *',
  attachment_updated: 'replaced a file in *',
  attachment_deleted: 'removed a file from *',
}

/** Around the name of a user; without an end, their level in the project follows. */
const MEMBERSHIP: Readonly<Record<string, { readonly start: string; readonly end?: string }>> = {
  'member added': { start: 'made ' },
  'member level changed': { start: 'made ' },
  'member removed': { start: 'removed ', end: ' from the project' },
}

const text = (words: string): Piece => ({ kind: 'text', text: words })
const value = (words: string): Piece => ({ kind: 'value', text: words })

/** "Ada renamed dashboard Growth to Growth 2026". */
export const describeActivity = (entry: Entry): string =>
  toPieces(entry)
    .map((piece) => piece.text)
    .join('')

export function toPieces(entry: Entry): readonly Piece[] {
  const predicate = toPredicate(entry)
  if (predicate[0]?.kind === 'item') return predicate // no user acted: an alert fired
  return [{ kind: 'user', text: entry.user.first_name }, text(' '), ...predicate]
}

function toPredicate(entry: Entry): Piece[] {
  const { scope, activity, detail } = entry
  if (activity === 'updated') return toUpdate(entry)
  if (detail.trigger) {
    const verb = activity === 'job_cancelled' ? 'canceled ' : 'ran '
    return [text(verb), value(detail.trigger.job_type), text(' in '), ...nameItem(entry)]
  }
  if (activity === 'events_deleted') {
    const count = Number(detail.changes?.[0]?.before ?? 0)
    return [text(`deleted ${pluralize(count, 'event')} of person `), value(detail.name)]
  }
  const template = /^template (created|updated|deleted|restored)$/.exec(activity)?.[1]
  if (template) {
    return [text(`${template} dashboard template `), value(detail.name)]
  }
  const membership = MEMBERSHIP[activity]
  if (membership) {
    const level = detail.changes?.[0]?.after
    const end = membership.end ?? ` a ${level === 'viewer' ? 'viewer' : 'member'} of the project`
    return [text(membership.start), value(detail.name), text(end)]
  }
  const sentence =
    SENTENCES[`${scope} ${activity}`] ?? SENTENCES[activity] ?? `${activity.replaceAll('_', ' ')} *`
  return fill(sentence, entry)
}

function fill(sentence: string, entry: Entry): Piece[] {
  const [before = '', after = ''] = sentence.split('*')
  const named = nameItem(entry)
  const first =
    before === '' ? [{ ...capitalize(named), kind: 'item' as const }] : [text(before), ...named]
  return after === '' ? first : [...first, text(after)]
}

const capitalize = (pieces: readonly Piece[]): Piece => {
  const words = pieces.map((piece) => piece.text).join('')
  return value(words.charAt(0).toUpperCase() + words.slice(1))
}

function nameItem(entry: Entry, name = toName(entry)): Piece[] {
  const noun = NOUNS[entry.scope] ?? entry.scope.toLowerCase()
  return name === ''
    ? [{ kind: 'item', text: `an unnamed ${noun}` }]
    : [text(`${noun} `), { kind: 'item', text: name }]
}

/** For import apps, prefers the config's own name over its app's name. */
const toName = ({ scope, detail, item }: Entry): string =>
  scope === 'PluginConfig' ? item?.name || detail.name : detail.name

const SWITCHES: Readonly<Record<string, readonly [on: string, off: string]>> = {
  pinned: ['pinned *', 'unpinned *'],
  enabled: ['enabled *', 'disabled *'],
  favorited: ['starred *', 'unstarred *'],
  verified: ['verified *', 'removed the verification of *'],
  hidden: ['hid *', 'unhid *'],
}

function toUpdate(entry: Entry): Piece[] {
  const changes = entry.detail.changes ?? []
  const [change] = changes
  if (changes.length !== 1 || !change) return fill(`updated ${listFields(changes)}*`, entry)
  const { field, before, after } = change
  const words = SWITCHES[field ?? '']
  if (words) return fill(after === true ? words[0] : words[1], entry)
  if ((field === 'name' || field === 'title') && before && after) {
    return [
      text('renamed '),
      ...nameItem(entry, String(before)),
      text(' to '),
      value(String(after)),
    ]
  }
  if (isTile(change)) return toTileUpdate(entry, change)
  return fill(`updated ${listFields(changes)}*`, entry)
}

const isTile = ({ field }: Change): boolean => /^tile \d+$/.test(field ?? '')

function toTileUpdate(entry: Entry, change: Change): Piece[] {
  const [verb, preposition] = TILE_VERBS[change.action] ?? ['updated', 'on']
  const name = tileName(change)
  const tile =
    name === '' ? [text(`${verb} a tile `)] : [text(`${verb} tile `), value(name), text(' ')]
  return [...tile, text(`${preposition} `), ...nameItem(entry)]
}

const TILE_VERBS: Readonly<Record<string, readonly [string, string]>> = {
  created: ['added', 'to'],
  changed: ['updated', 'on'],
  deleted: ['removed', 'from'],
}

function tileName({ before, after }: Change): string {
  const tile = (after ?? before) as { insight?: unknown; text?: unknown } | null
  const name = tile?.insight ?? tile?.text
  return typeof name === 'string' ? truncate(name.split('\n', 1)[0] ?? '', 60) : ''
}

/** Tells whether the sentence already states every change. */
export function isFullyDescribed({ activity, detail }: Entry): boolean {
  const [change, ...others] = detail.changes ?? []
  if (!change) return true
  const { field, before, after } = change
  if (activity !== 'updated') return field === 'is_shared' || activity === 'events_deleted'
  if (others.length > 0 || !field) return false
  return field in SWITCHES || (['name', 'title'].includes(field) && !!before && !!after)
}

/** "the name, tags and 2 tiles of ", or an empty text when there are no changes. */
function listFields(changes: readonly Change[]): string {
  const tiles = changes.filter(isTile).length
  const fields = changes.filter((change) => !isTile(change)).map(({ field }) => toFieldName(field))
  const [first, ...rest] = fields
  const all = [
    ...(first === undefined ? [] : [`the ${first}`, ...rest]),
    ...(tiles > 0 ? [tiles === 1 ? 'a tile' : `${tiles} tiles`] : []),
  ]
  if (all.length === 0) return ''
  if (all.length > 4) return `${all.length} fields of `
  const last = all.at(-1)
  return `${all.length === 1 ? last : `${all.slice(0, -1).join(', ')} and ${last}`} of `
}

const FIELDS: Readonly<Record<string, string>> = {
  restriction_level: 'edit permission',
  is_shared: 'public link',
  pinned: 'pin',
  enabled: 'status',
  favorited: 'star',
  query: 'query',
  dashboards: 'dashboards',
  order: 'position',
  plugin: 'app',
  target_value: 'recipient',
  snoozed_until: 'snooze',
  distinct_ids: 'distinct IDs',
}

export const toFieldName = (field: string | null): string =>
  FIELDS[field ?? ''] ?? (field ?? 'file').replaceAll('_', ' ')

const truncate = (words: string, maxLength: number): string =>
  words.length > maxLength ? `${words.slice(0, maxLength - 1)}…` : words

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')

/** Shortens a value to one line. */
export function toShortValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (value === true) return 'yes'
  if (value === false) return 'no'
  if (isTextList(value)) return truncate(value.join(', '), 160)
  return truncate(typeof value === 'object' ? JSON.stringify(value) : String(value), 160)
}
