import type { Activity, Change, LoggedActivity } from '#server/features/activity/schema.ts'

/** Of the project's log, or of one thing's, which names no place to go to. */
export type Entry = Activity & Partial<Pick<LoggedActivity, 'item'>>

/** A piece of a sentence: plain, who did it, what it is about, or a value that somebody wrote. */
export interface Piece {
  readonly kind: 'text' | 'who' | 'item' | 'value'
  readonly text: string
}

const THINGS: Readonly<Record<string, string>> = {
  Dashboard: 'dashboard',
  Insight: 'insight',
  Alert: 'alert',
  Subscription: 'subscription',
  PluginConfig: 'import app',
  Plugin: 'app',
  Project: 'project',
}

/** `*` is the thing and its name. What has a trash is only moved there. */
const SENTENCES: Readonly<Record<string, string>> = {
  created: 'created *',
  updated: 'changed *',
  deleted: 'moved * to the trash',
  'Alert deleted': 'deleted *',
  'Subscription deleted': 'deleted *',
  restored: 'took * out of the trash',
  removed: 'deleted * for good',
  enabled: 'switched on *',
  disabled: 'switched off *',
  fired: '* fired',
  resolved: '* is back to normal',
  'secret rotated': 'replaced the signing secret of *',
  'collaborator added': 'added a collaborator to *',
  'collaborator removed': 'removed a collaborator from *',
  'sharing enabled': 'shared * by a public link',
  'sharing disabled': 'switched off the public link of *',
  'sharing link replaced': 'replaced the public link of *',
  config_updated: 'changed the settings of *',
  order_changed: 'moved * in the order of import apps',
  migrated: 'brought * up to the version of its app',
  installed: 'installed *',
  uninstalled: 'uninstalled *',
  upgraded: 'upgraded *',
  source_updated: 'changed the source of *',
  attachment_created: 'added a file to *',
  attachment_updated: 'replaced a file of *',
  attachment_deleted: 'removed a file from *',
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
  if (predicate[0]?.kind === 'item') return predicate // nobody did it: an alert fired
  return [{ kind: 'who', text: entry.user.first_name }, text(' '), ...predicate]
}

function toPredicate(entry: Entry): Piece[] {
  const { scope, activity, detail } = entry
  if (activity === 'updated') return toUpdate(entry)
  if (detail.trigger) {
    const verb = activity === 'job_cancelled' ? 'cancelled ' : 'ran '
    return [text(verb), value(detail.trigger.job_type), text(' of '), ...thing(entry)]
  }
  if (activity === 'events_deleted') {
    const count = Number(detail.changes?.[0]?.before ?? 0)
    const events = count === 1 ? '1 event' : `${count.toLocaleString('en')} events`
    return [text(`deleted ${events} of person `), value(detail.name)]
  }
  const template = /^template (created|updated|deleted|restored)$/.exec(activity)?.[1]
  if (template) {
    return [text(`${template} dashboard template `), value(detail.name)]
  }
  const sentence =
    SENTENCES[`${scope} ${activity}`] ?? SENTENCES[activity] ?? `${activity.replaceAll('_', ' ')} *`
  return around(sentence, entry)
}

function around(sentence: string, entry: Entry): Piece[] {
  const [before = '', after = ''] = sentence.split('*')
  const named = thing(entry)
  const first =
    before === '' ? [{ ...joined(named), kind: 'item' as const }] : [text(before), ...named]
  return after === '' ? first : [...first, text(after)]
}

const joined = (pieces: readonly Piece[]): Piece => {
  const words = pieces.map((piece) => piece.text).join('')
  return value(words.charAt(0).toUpperCase() + words.slice(1))
}

function thing(entry: Entry, name = nameOf(entry)): Piece[] {
  const noun = THINGS[entry.scope] ?? entry.scope.toLowerCase()
  return name === ''
    ? [{ kind: 'item', text: `an ${noun} without a name`.replace(/^an (?![aei])/, 'a ') }]
    : [text(`${noun} `), { kind: 'item', text: name }]
}

/** The log of an import app names its app; what somebody called it says more. */
const nameOf = ({ scope, detail, item }: Entry): string =>
  scope === 'PluginConfig' ? item?.name || detail.name : detail.name

const SWITCHES: Readonly<Record<string, readonly [on: string, off: string]>> = {
  pinned: ['pinned *', 'unpinned *'],
  enabled: ['switched on *', 'switched off *'],
  favorited: ['marked * as a favourite', 'took the favourite mark off *'],
}

function toUpdate(entry: Entry): Piece[] {
  const changes = entry.detail.changes ?? []
  const [change] = changes
  if (changes.length !== 1 || !change) return around(`changed ${listFields(changes)}*`, entry)
  const { field, before, after } = change
  const words = SWITCHES[field ?? '']
  if (words) return around(after === true ? words[0] : words[1], entry)
  if ((field === 'name' || field === 'title') && before && after) {
    return [text('renamed '), ...thing(entry, String(before)), text(' to '), value(String(after))]
  }
  if (isTile(change)) return toTileUpdate(entry, change)
  return around(`changed ${listFields(changes)}*`, entry)
}

const isTile = ({ field }: Change): boolean => /^tile \d+$/.test(field ?? '')

function toTileUpdate(entry: Entry, change: Change): Piece[] {
  const [verb, preposition] = TILE_VERBS[change.action] ?? ['changed', 'of']
  const name = tileName(change)
  const tile =
    name === '' ? [text(`${verb} a tile `)] : [text(`${verb} tile `), value(name), text(' ')]
  return [...tile, text(`${preposition} `), ...thing(entry)]
}

const TILE_VERBS: Readonly<Record<string, readonly [string, string]>> = {
  created: ['added', 'to'],
  changed: ['changed', 'of'],
  deleted: ['removed', 'from'],
}

function tileName({ before, after }: Change): string {
  const tile = (after ?? before) as { insight?: unknown; text?: unknown } | null
  const name = tile?.insight ?? tile?.text
  return typeof name === 'string' ? cut(name.split('\n', 1)[0] ?? '', 60) : ''
}

/** Whether the sentence leaves nothing to be told about what changed. */
export function tellsAll({ activity, detail }: Entry): boolean {
  const [change, ...others] = detail.changes ?? []
  if (!change) return true
  const { field, before, after } = change
  if (activity !== 'updated') return field === 'is_shared' || activity === 'events_deleted'
  if (others.length > 0 || !field) return false
  return field in SWITCHES || (['name', 'title'].includes(field) && !!before && !!after)
}

/** "the name, the tags and 2 tiles of ", or nothing when nobody knows. */
function listFields(changes: readonly Change[]): string {
  const tiles = changes.filter(isTile).length
  const fields = changes.filter((change) => !isTile(change)).map(({ field }) => toFieldName(field))
  const all = [
    ...fields.map((name) => `the ${name}`),
    ...(tiles > 0 ? [tiles === 1 ? 'a tile' : `${tiles} tiles`] : []),
  ]
  if (all.length === 0) return ''
  if (all.length > 4) return `${all.length} things of `
  const last = all.at(-1)
  return `${all.length === 1 ? last : `${all.slice(0, -1).join(', ')} and ${last}`} of `
}

const FIELDS: Readonly<Record<string, string>> = {
  restriction_level: 'rule who can edit',
  is_shared: 'public link',
  pinned: 'pin',
  enabled: 'switch',
  favorited: 'favourite mark',
  query: 'question',
  dashboards: 'dashboards',
  order: 'place in the order',
  plugin: 'app',
  target_value: 'recipient',
  snoozed_until: 'snooze',
}

export const toFieldName = (field: string | null): string =>
  FIELDS[field ?? ''] ?? (field ?? 'file').replaceAll('_', ' ')

const cut = (words: string, most: number): string =>
  words.length > most ? `${words.slice(0, most - 1)}…` : words

const isTexts = (given: unknown): given is readonly string[] =>
  Array.isArray(given) && given.length > 0 && given.every((each) => typeof each === 'string')

/** A value in a line. */
export function toShortValue(given: unknown): string {
  if (given === null || given === undefined || given === '') return 'nothing'
  if (given === true) return 'yes'
  if (given === false) return 'no'
  if (isTexts(given)) return cut(given.join(', '), 160)
  return cut(typeof given === 'object' ? JSON.stringify(given) : String(given), 160)
}
