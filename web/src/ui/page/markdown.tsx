import { Typography } from '@mantine/core'
import DOMPurify from 'dompurify'
import { Marked } from 'marked'
import { useMemo } from 'react'
import { unlessTooDeep } from '#model/unless-too-deep.ts'

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** HTML in the text is escaped, not rendered. */
const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    // the page has the only first-level heading
    heading({ tokens, depth }) {
      const tag = `h${Math.min(6, depth + 1)}`
      return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`
    },
  },
})

/** Falls back to plain text when nesting is too deep to parse. */
const toHtml = (text: string): string =>
  unlessTooDeep(
    () => marked.parse(text, { async: false }),
    () => `<p>${escapeHtml(text)}</p>`,
  )

/** Renders user-written Markdown, sanitized. */
export default function Markdown({ text }: { readonly text: string }) {
  const html = useMemo(() => DOMPurify.sanitize(toHtml(text), { FORBID_ATTR: ['style'] }), [text])
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized on the line before
  return <Typography dangerouslySetInnerHTML={{ __html: html }} />
}
