import { oneLine } from '#server/mail/mail.ts'
import { type NotificationContent, type Section, toContent } from './content.ts'
import type { Notification } from './notification.ts'
import type { WebhookFormat } from './schema.ts'

/** Builds the body of a webhook. Its fields in JSON are part of the interface. */
export function toWebhookBody(
  format: WebhookFormat | undefined,
  notification: Notification,
  link: string | null,
): object {
  if (format === 'slack') return toSlackMessage(toContent(notification), link)
  if (format === 'teams') return toTeamsMessage(toContent(notification), link)
  const { path: _, ...payload } = notification
  return { ...payload, url: link }
}

/** Both chats reject messages with more or longer parts. Ten sections of 20 rows are within both limits. */
const MAX_SECTIONS = 10
const MAX_TEXT = 2900

const shorten = (text: string, max = MAX_TEXT): string =>
  text.length <= max ? text : `${text.slice(0, max - 1)}…`

/** Slack reads these three as markup, and nothing else needs escaping. */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const slackText = (text: string) => ({ type: 'mrkdwn', text: shorten(text) })

/** `text` is what a phone's notification shows. */
function toSlackMessage({ subject, intro, sections }: NotificationContent, link: string | null) {
  const parts = sections.slice(0, MAX_SECTIONS).map(({ title, rows }) => {
    const lines = rows.map(
      ([name, value]) => `${escapeSlack(oneLine(name))}: *${escapeSlack(oneLine(value))}*`,
    )
    return [`*${escapeSlack(oneLine(title))}*`, ...lines].join('\n')
  })
  return {
    text: shorten(escapeSlack(oneLine(subject))),
    blocks: [
      ...[escapeSlack(intro), ...parts].map((text) => ({ type: 'section', text: slackText(text) })),
      ...(link === null
        ? []
        : [{ type: 'context', elements: [slackText(`<${link}|Open in Hedgerow>`)] }]),
    ],
  }
}

/** Keeps names of events, which anyone can send, from being read as links in Markdown. */
const breakLinks = (text: string): string => text.replaceAll('](', ']\u200b(')

/** An adaptive card, as workflows and connectors of Teams take it. */
function toTeamsMessage({ subject, intro, sections }: NotificationContent, link: string | null) {
  const block = (text: string, more: object = {}) => ({
    type: 'TextBlock',
    text: shorten(breakLinks(text)),
    wrap: true,
    ...more,
  })
  const toBlocks = ({ title, rows }: Section) => [
    block(oneLine(title), { weight: 'Bolder' }),
    {
      type: 'FactSet',
      facts: rows.map(([name, value]) => ({
        title: shorten(breakLinks(oneLine(name)), 200),
        value: shorten(breakLinks(oneLine(value)), 200),
      })),
    },
  ]
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            block(oneLine(subject), { weight: 'Bolder', size: 'Medium' }),
            ...(intro === subject ? [] : [block(intro)]),
            ...sections.slice(0, MAX_SECTIONS).flatMap(toBlocks),
          ],
          ...(link !== null && {
            actions: [{ type: 'Action.OpenUrl', title: 'Open in Hedgerow', url: link }],
          }),
        },
      },
    ],
  }
}
