import { Marked, type Tokens } from 'marked'
import { unlessTooDeep } from '#model/unless-too-deep.ts'
import { ESCAPED_HTML } from '#server/html/escaped-markdown.ts'
import { type Html, html } from '#server/html/html.ts'

const SAFE_LINK = /^(?:https?:\/\/|mailto:)/i

/** HTML in the text is shown as text, images by their names; links send no referrer. */
const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    ...ESCAPED_HTML,
    image: ({ text }) => html`${text}`.html,
    link({ href, tokens }: Tokens.Link) {
      const content = { html: this.parser.parseInline(tokens) }
      if (!SAFE_LINK.test(href)) return content.html
      return html`<a href="${href}" target="_blank" rel="noopener noreferrer nofollow">${content}</a>`
        .html
    },
    // the page has the only first-level heading
    heading({ tokens, depth }: Tokens.Heading) {
      const level = { html: `h${Math.min(6, depth + 1)}` }
      return html`<${level}>${{ html: this.parser.parseInline(tokens) }}</${level}>`.html
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
})

/** A text nested too deeply to parse is shown as it is. */
export const toMarkdown = (text: string): Html =>
  unlessTooDeep(
    () => ({ html: marked.parse(text, { async: false }) }),
    () => html`<p>${text}</p>`,
  )
