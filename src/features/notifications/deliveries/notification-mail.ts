import { escapeHtml } from '#server/html/html.ts'
import { type Mail, oneLine, toMailHtml } from '#server/mail/mail.ts'
import { type NotificationContent, toContent } from './content.ts'
import type { Notification } from './notification.ts'

/** Writes the same content as plain text and as HTML. */
export function toNotificationMail(notification: Notification, link: string | null): Mail {
  const content = toContent(notification)
  return {
    subject: oneLine(content.subject),
    text: toText(content, link),
    html: toHtml(content, link),
  }
}

function toText({ intro, sections }: NotificationContent, link: string | null): string {
  const paragraphs = sections.map(({ title, rows }) =>
    [title, ...rows.map(([name, value]) => `  ${oneLine(name)}: ${oneLine(value)}`)].join('\n'),
  )
  return `${[intro, ...paragraphs, ...(link ? [link] : [])].join('\n\n')}\n`
}

const CELL = 'style="padding: 2px 16px 2px 0; text-align: left"'

function toHtml({ intro, sections }: NotificationContent, link: string | null): string {
  const tables = sections.map(({ title, rows }) => {
    const cells = rows.map(
      ([name, value]) =>
        `<tr><td ${CELL}>${escapeHtml(name)}</td><td ${CELL}>${escapeHtml(value)}</td></tr>`,
    )
    return `<h3>${escapeHtml(title)}</h3><table>${cells.join('')}</table>`
  })
  const anchor = link ? `<p><a href="${escapeHtml(link)}">Open in Hedgerow</a></p>` : ''
  return toMailHtml(`<p>${escapeHtml(intro)}</p>${tables.join('')}${anchor}`)
}
