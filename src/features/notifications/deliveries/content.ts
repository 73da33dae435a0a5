import { toRangeText } from '#model/usual-range.ts'
import type {
  AlertNotification,
  ImportNotification,
  Notification,
  SubscriptionNotification,
} from './notification.ts'
import { type SummaryRow, summarizeResult } from './result-summary.ts'

export interface Section {
  readonly title: string
  readonly rows: readonly SummaryRow[]
}

/** The words of a notification, in mails and in chats. */
export interface NotificationContent {
  readonly subject: string
  readonly intro: string
  readonly sections: readonly Section[]
}

export function toContent(notification: Notification): NotificationContent {
  if ('import' in notification) return toImportContent(notification)
  if ('alert' in notification) return toAlertContent(notification)
  return toSubscriptionContent(notification)
}

const IMPORT_WORDS: Readonly<
  Record<ImportNotification['event'], readonly [label: string, says: (name: string) => string]>
> = {
  'import.failed': ['Import failed', (name) => `The import "${name}" fails.`],
  'import.stale': ['Import late', (name) => `The import "${name}" is late.`],
  'import.skipped': ['Rows skipped', (name) => `The import "${name}" could not import some rows.`],
  'import.schema_changed': ['Schema changed', (name) => `The events of "${name}" have changed.`],
  'import.recovered': ['Recovered', (name) => `The import "${name}" works again.`],
  test: ['Test', (name) => `This is a test of the alert on the import "${name}".`],
}

function toImportContent(notification: ImportNotification): NotificationContent {
  const { event, alert, message, since } = notification
  const name = notification.import.name || 'Import'
  const [label, says] = IMPORT_WORDS[event]
  const rows: SummaryRow[] = []
  if (message) rows.push(['Message', message])
  if (since) rows.push(['Since', since])
  return {
    subject: `[${label}] ${alert.name}`,
    intro: says(name),
    sections: [{ title: name, rows }],
  }
}

const LABELS = { 'alert.firing': 'Firing', 'alert.resolved': 'Resolved', test: 'Test' }

const INTROS: Record<AlertNotification['event'], (name: string) => string> = {
  'alert.firing': (name) => `The alert "${name}" is firing.`,
  'alert.resolved': (name) => `The alert "${name}" has stopped firing.`,
  test: (name) => `This is a test of the alert "${name}".`,
}

function toAlertContent(notification: AlertNotification): NotificationContent {
  const { event, alert, insight, value, previous_value, threshold, usual_range } = notification
  const rows: SummaryRow[] = [['Value', String(value ?? 'none')]]
  if (previous_value !== null) rows.push(['Previous value', String(previous_value)])
  if (usual_range) rows.push(['Usually', toRangeText(usual_range)])
  rows.push(...toBoundRows(threshold))
  return {
    subject: `[${LABELS[event]}] ${alert.name}`,
    intro: INTROS[event](alert.name),
    sections: [{ title: insight.name || 'Insight', rows }],
  }
}

function toBoundRows(threshold: unknown): SummaryRow[] {
  const { configuration } = threshold as {
    configuration: { type: string; bounds: { lower?: number | null; upper?: number | null } }
  }
  const { lower, upper } = configuration.bounds
  const show = (bound: number) =>
    configuration.type === 'percentage' ? `${Number((bound * 100).toPrecision(12))}%` : `${bound}`
  const rows: SummaryRow[] = []
  if (typeof lower === 'number') rows.push(['Lower bound', show(lower)])
  if (typeof upper === 'number') rows.push(['Upper bound', show(upper)])
  return rows
}

function toSubscriptionContent(notification: SubscriptionNotification): NotificationContent {
  const { event, subscription, dashboard, insights } = notification
  const name = subscription.title || dashboard?.name || insights[0]?.name || 'Hedgerow'
  return {
    subject: event === 'test' ? `[Test] ${name}` : name,
    intro: event === 'test' ? `This is a test of the subscription "${name}".` : name,
    sections: insights.map(({ name: title, results, error }) => ({
      title: title || 'Insight',
      rows: error === null ? summarizeResult(results) : [['Problem', error]],
    })),
  }
}
