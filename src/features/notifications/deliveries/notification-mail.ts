import { escapeHtml } from '#server/html/html.ts'
import { type Mail, oneLine } from '#server/mail/mail.ts'
import type { AlertNotification, Notification, SubscriptionNotification } from './notification.ts'
import { type SummaryRow, summarizeResult } from './result-summary.ts'

interface Section {
  readonly title: string
  readonly rows: readonly SummaryRow[]
}

interface MailContent {
  readonly subject: string
  readonly intro: string
  readonly sections: readonly Section[]
}

/** Writes the same content as plain text and as HTML. */
export function toNotificationMail(notification: Notification, link: string | null): Mail {
  const content =
    'alert' in notification ? toAlertContent(notification) : toSubscriptionContent(notification)
  return {
    subject: oneLine(content.subject),
    text: toText(content, link),
    html: toHtml(content, link),
  }
}

const LABELS = { 'alert.firing': 'Firing', 'alert.resolved': 'Resolved', test: 'Test' }

const INTROS: Record<AlertNotification['event'], (name: string) => string> = {
  'alert.firing': (name) => `The alert "${name}" is firing.`,
  'alert.resolved': (name) => `The alert "${name}" has stopped firing.`,
  test: (name) => `This is a test of the alert "${name}".`,
}

function toAlertContent(notification: AlertNotification): MailContent {
  const { event, alert, insight, value, previous_value, threshold } = notification
  const rows: SummaryRow[] = [['Value', String(value ?? 'none')]]
  if (previous_value !== null) rows.push(['Previous value', String(previous_value)])
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

function toSubscriptionContent(notification: SubscriptionNotification): MailContent {
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

function toText({ intro, sections }: MailContent, link: string | null): string {
  const paragraphs = sections.map(({ title, rows }) =>
    [title, ...rows.map(([name, value]) => `  ${oneLine(name)}: ${oneLine(value)}`)].join('\n'),
  )
  return `${[intro, ...paragraphs, ...(link ? [link] : [])].join('\n\n')}\n`
}

const CELL = 'style="padding: 2px 16px 2px 0; text-align: left"'

function toHtml({ intro, sections }: MailContent, link: string | null): string {
  const tables = sections.map(({ title, rows }) => {
    const cells = rows.map(
      ([name, value]) =>
        `<tr><td ${CELL}>${escapeHtml(name)}</td><td ${CELL}>${escapeHtml(value)}</td></tr>`,
    )
    return `<h3>${escapeHtml(title)}</h3><table>${cells.join('')}</table>`
  })
  const anchor = link ? `<p><a href="${escapeHtml(link)}">Open in Hedgerow</a></p>` : ''
  return `<!doctype html><html><body style="font-family: sans-serif"><p>${escapeHtml(intro)}</p>${tables.join('')}${anchor}</body></html>`
}
