import { Typography } from '@mantine/core'
import DOMPurify from 'dompurify'
import { Marked } from 'marked'
import { useMemo } from 'react'
import { unlessTooDeep } from '#model/unless-too-deep.ts'

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** Markup in the text is shown as it was written, not read. */
const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: { html: ({ text }) => escaped(text) },
})

/** Too deep to be read: shown as it is. */
const toHtml = (text: string): string =>
  unlessTooDeep(
    () => marked.parse(text, { async: false }),
    () => `<p>${escaped(text)}</p>`,
  )

/** Whatever somebody wrote: read as Markdown, and then cleaned of all that could act. */
export default function Markdown({ text }: { readonly text: string }) {
  const html = useMemo(() => DOMPurify.sanitize(toHtml(text), { FORBID_ATTR: ['style'] }), [text])
  // biome-ignore lint/security/noDangerouslySetInnerHtml: it was cleaned the line before
  return <Typography dangerouslySetInnerHTML={{ __html: html }} />
}
