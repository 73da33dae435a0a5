import { EXAMPLE_ORIGIN } from './example-origin.ts'
import type { Page, PageGroup } from './pages.ts'

/** Lists all documents as Markdown, in the form of https://llmstxt.org. */
export function toLlmsText(sections: readonly PageGroup[]): string {
  const lists = sections.map(({ name, pages }) => `## ${name}\n\n${pages.map(toItem).join('\n')}\n`)
  const about =
    'Hedgerow imports events with small apps and shows them on dashboards. It implements part of the public API of PostHog.'
  return [`# Hedgerow\n\n> ${about}\n`, ...lists].join('\n')
}

const toItem = ({ path, title, markdown }: Page): string =>
  `- [${title}](${EXAMPLE_ORIGIN}/docs/${path}.md): ${toSummary(markdown)}`

/** Returns the first sentence after the title and the note below it. */
function toSummary(markdown: string): string {
  const [, paragraph = ''] = /^# .+\n+(?:> .+\n+)?([^#>\n|`-][^\n]*)/m.exec(markdown) ?? []
  return /^.*?[.:](?=\s|$)/.exec(paragraph)?.[0] ?? paragraph
}
