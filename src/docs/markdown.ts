import { Marked, type Tokens } from 'marked'
import { ESCAPED_HTML } from '#server/html/escaped-markdown.ts'
import { type Html, html } from '#server/html/html.ts'
import { createSlugger } from './slugs.ts'

const EXTERNAL = /^(?:https?:\/\/|mailto:)/i

/** Renders a page. HTML in the text is shown as text; links to other documents lead to their pages. */
export function renderMarkdown(markdown: string, path: string): Html {
  const toAnchor = createSlugger()
  const marked = new Marked({
    gfm: true,
    renderer: {
      ...ESCAPED_HTML,
      heading({ tokens, depth }: Tokens.Heading) {
        const level = { html: `h${depth}` }
        const content = { html: this.parser.parseInline(tokens) }
        const anchor = toAnchor(toPlainText(tokens))
        return html`<${level} id="${anchor}">${content} <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></${level}>\n`
          .html
      },
      link({ href, tokens }: Tokens.Link) {
        const content = { html: this.parser.parseInline(tokens) }
        return html`<a href="${toHref(href, path)}">${content}</a>`.html
      },
      image: ({ href, text }: Tokens.Image) =>
        html`<img src="${toHref(href, path)}" alt="${text}" loading="lazy">`.html,
      code: ({ text }: Tokens.Code) => html`<pre tabindex="0"><code>${text}</code></pre>\n`.html,
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: Html) =>
          html`<tr>${cells.map(
            (cell) => html`<${tag}>${{ html: this.parser.parseInline(cell.tokens) }}</${tag}>`,
          )}</tr>`
        return html`<div class="table" tabindex="0" role="group" aria-label="Table"><table>
<thead>${row(token.header, { html: 'th' })}</thead>
<tbody>${token.rows.map((cells) => row(cells, { html: 'td' }))}</tbody>
</table></div>\n`.html
      },
    },
  })
  return { html: marked.parse(markdown, { async: false }) }
}

/** Resolves a link relative to the document's file, as GitHub does. */
function toHref(href: string, path: string): string {
  if (EXTERNAL.test(href) || href.startsWith('#')) return href
  const { pathname, hash } = new URL(href, `http://docs/docs/${path || 'index'}.md`)
  const page = pathname.replace(/\.md$/, '').replace(/\/index$/, '')
  return `${page}${hash}`
}

/** Returns the text of inline tokens, as browsers show it. */
export function toPlainText(tokens: readonly { readonly raw: string }[]): string {
  return (tokens as readonly Tokens.Generic[])
    .map((token) => (token.tokens ? toPlainText(token.tokens) : (token.text ?? token.raw)))
    .join('')
}
