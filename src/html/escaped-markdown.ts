import type { RendererObject } from 'marked'
import { html } from './html.ts'

/** Shows HTML in Markdown as text. Every page that renders Markdown on the server passes it to marked. */
export const ESCAPED_HTML: RendererObject = {
  html: ({ text }) => html`${text}`.html,
  // marked passes on text after <pre>, <code> or <script> as it is, with unclosed tags
  text: (token) => (token.type === 'text' && token.escaped ? html`${token.text}`.html : false),
}
