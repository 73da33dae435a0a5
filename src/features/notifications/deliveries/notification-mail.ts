import { escapeHtml } from '#server/html/escape.ts'
import { type Mail, oneLine } from '#server/mail/mail.ts'
import type { AlertNotification, Notification, SubscriptionNotification } from './notification.ts'
import { type SummaryRow, summarizeResult } from './result-summary.ts'

interface Part {
  readonly title: string
  readonly figures: readonly SummaryRow[]
}

interface Letter {
  readonly subject: string
  readonly says: string
  readonly parts: readonly Part[]
}

/** The same words as plain text and as HTML. */
export function toNotificationMail(notice: Notification, link: string | null): Mail {
  const letter = 'alert' in notice ? ofAlert(notice) : ofSubscription(notice)
  return {
    subject: oneLine(letter.subject),
    text: toText(letter, link),
    html: toHtml(letter, link),
  }
}

const ALERT_WORDS = { 'alert.firing': 'Firing', 'alert.resolved': 'Resolved', test: 'Test' }

function ofAlert({
  event,
  alert,
  insight,
  value,
  previous_value,
  threshold,
}: AlertNotification): Letter {
  const word = ALERT_WORDS[event]
  const figures: SummaryRow[] = [
    ['Value', String(value ?? 'none')],
    ...(previous_value === null ? [] : [['Before', String(previous_value)] as const]),
    ...toBounds(threshold),
  ]
  return {
    subject: `[${word}] ${alert.name}`,
    says: SAYS[event](alert.name),
    parts: [{ title: insight.name || 'Insight', figures }],
  }
}

const SAYS: Record<AlertNotification['event'], (name: string) => string> = {
  'alert.firing': (name) => `The alert "${name}" is firing.`,
  'alert.resolved': (name) => `The alert "${name}" is not firing any more.`,
  test: (name) => `This is a test of the alert "${name}".`,
}

function toBounds(threshold: unknown): SummaryRow[] {
  const { configuration } = threshold as {
    configuration: { type: string; bounds: { lower?: number | null; upper?: number | null } }
  }
  const { lower, upper } = configuration.bounds
  const show = (bound: number) =>
    configuration.type === 'percentage' ? `${Number((bound * 100).toPrecision(12))} %` : `${bound}`
  return [
    ...(typeof lower === 'number' ? [['Not below', show(lower)] as const] : []),
    ...(typeof upper === 'number' ? [['Not above', show(upper)] as const] : []),
  ]
}

function ofSubscription({
  event,
  subscription,
  dashboard,
  insights,
}: SubscriptionNotification): Letter {
  const name = subscription.title || dashboard?.name || insights[0]?.name || 'Hedgerow'
  return {
    subject: event === 'test' ? `[Test] ${name}` : name,
    says: event === 'test' ? `This is a test of the subscription "${name}".` : name,
    parts: insights.map(({ name: title, results, error }) => ({
      title: title || 'Insight',
      figures: error === null ? summarizeResult(results) : [['Problem', error]],
    })),
  }
}

function toText({ says, parts }: Letter, link: string | null): string {
  const sections = parts.map(({ title, figures }) =>
    [title, ...figures.map(([name, value]) => `  ${oneLine(name)}: ${oneLine(value)}`)].join('\n'),
  )
  return `${[says, ...sections, ...(link ? [link] : [])].join('\n\n')}\n`
}

const CELL = 'style="padding: 2px 16px 2px 0; text-align: left"'

function toHtml({ says, parts }: Letter, link: string | null): string {
  const sections = parts.map(({ title, figures }) => {
    const rows = figures.map(
      ([name, value]) =>
        `<tr><td ${CELL}>${escapeHtml(name)}</td><td ${CELL}>${escapeHtml(value)}</td></tr>`,
    )
    return `<h3>${escapeHtml(title)}</h3><table>${rows.join('')}</table>`
  })
  const anchor = link ? `<p><a href="${escapeHtml(link)}">Look at it in Hedgerow</a></p>` : ''
  return `<!doctype html><html><body style="font-family: sans-serif"><p>${escapeHtml(says)}</p>${sections.join('')}${anchor}</body></html>`
}
