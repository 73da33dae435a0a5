import type { Activity, Change } from '../../../../src/features/activity/schema.ts'

const SENTENCES: Readonly<Record<string, string>> = {
  created: 'added this app',
  enabled: 'enabled it',
  disabled: 'disabled it',
  deleted: 'moved it to the trash',
  restored: 'took it out of the trash',
  order_changed: 'moved it to another place in the list',
  attachment_created: 'attached a file',
  attachment_updated: 'replaced a file',
  attachment_deleted: 'removed a file',
}

/** Who did it stands before it. */
export function toSentence({ activity, detail }: Activity): string {
  const changes = detail.changes ?? []
  if (activity === 'job_triggered') return `started the job "${detail.trigger?.job_type ?? ''}"`
  if (activity === 'config_updated')
    return `changed ${changes.map(toWords).join(', ') || 'settings'}`
  if (activity === 'updated') return `changed ${changes.map(toWords).join(', ') || 'it'}`
  if (activity === 'migrated') return "brought the settings to the app's new version"
  return SENTENCES[activity] ?? activity.replaceAll('_', ' ')
}

function toWords({ field, before, after }: Change): string {
  const name = (field ?? 'something').replaceAll('_', ' ')
  if (isNothing(after)) return `${name} (removed)`
  if (isNothing(before)) return `${name} to ${toShort(after)}`
  return `${name} from ${toShort(before)} to ${toShort(after)}`
}

const isNothing = (value: unknown): boolean => value === null || value === undefined || value === ''

const toShort = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`
}
