import { Marked, type Tokens } from 'marked'
import { unlessTooDeep } from '#model/unless-too-deep.ts'
import { type Html, html } from '#server/html/html.ts'

const SAFE_LINK = /^(?:https?:\/\/|mailto:)/i

/** Markup in the text is shown as it was written, pictures are named, and links lead out without saying from where. */
const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) => html`${text}`.html,
    image: ({ text }) => html`${text}`.html,
    link({ href, tokens }: Tokens.Link) {
      const words = { html: this.parser.parseInline(tokens) }
      if (!SAFE_LINK.test(href)) return words.html
      return html`<a href="${href}" target="_blank" rel="noopener noreferrer nofollow">${words}</a>`
        .html
    },
    // the tile's own headings begin below the page's
    heading({ tokens, depth }: Tokens.Heading) {
      const level = { html: `h${Math.min(6, depth + 1)}` }
      return html`<${level}>${{ html: this.parser.parseInline(tokens) }}</${level}>`.html
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
})

/** Too deep to be read: shown as it is. */
export const toMarkdown = (text: string): Html =>
  unlessTooDeep(
    () => ({ html: marked.parse(text, { async: false }) }),
    () => html`<p>${text}</p>`,
  )
