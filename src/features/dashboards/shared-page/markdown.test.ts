import { describe, expect, it } from 'vitest'
import { toMarkdown } from './markdown.ts'

const ALLOWED =
  /^<\/?(?:p|br|strong|em|del|code|pre|ul|ol|li|a|blockquote|hr|h[2-6]|table|thead|tbody|tr|th|td)\b/

describe('the text of a tile', () => {
  it("is rendered as Markdown, with headings below the page's", () => {
    expect(toMarkdown('# A\n\n**b** `c`').html).toBe(
      '<h2>A</h2><p><strong>b</strong> <code>c</code></p>\n',
    )
  })

  it('has links that send no referrer', () => {
    expect(toMarkdown('[a](https://b.example/?c=1&d)').html).toBe(
      '<p><a href="https://b.example/?c=1&amp;d" target="_blank" rel="noopener noreferrer nofollow">a</a></p>\n',
    )
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg><animate onbegin=alert(1)>',
    'a <b onclick=alert(1)>b</b>',
    '[x](javascript:alert(1))',
    '[x]( &#106;avascript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:x)',
    '[x](//evil.example)',
    '[x](https://a.example/"onmouseover="alert(1))',
    '[x](https://a.example "a" onclick="alert(1)")',
    '![x" onerror="alert(1)](https://evil.example/x.png)',
    '<https://a.example/"><script>alert(1)</script>>',
    '```"><script>alert(1)</script>\nx\n```',
    '`<script>`',
    '|a|\n|-|\n|<script>|',
    '- [x] <input onfocus=alert(1) autofocus>',
    '[x][y]\n\n[y]: javascript:alert(1)',
    '&lt;script&gt;',
    'a <code> <form action=//evil.example ',
    'a <pre>b <img src=x onerror=alert(1) //',
  ])('shows %j as text', (text) => {
    const { html } = toMarkdown(text)

    const tags = html.match(/<[^>]*>/g) ?? []
    for (const tag of tags) {
      expect(tag).toMatch(ALLOWED)
      const attributes = tag.match(/ [\w-]+(?==)/g) ?? []
      expect([' href', ' target', ' rel', ' class', ' align', ' start']).toEqual(
        expect.arrayContaining(attributes),
      )
      expect(tag).not.toMatch(/href="(?!https?:|mailto:)/)
    }
  })

  it.each([
    ['quotes', '>'.repeat(4000)],
    ['lists', '- '.repeat(2000)],
    ['brackets', '['.repeat(4000)],
    ['stars', '*a '.repeat(1300)],
  ])('is shown even if its %s are deeply nested', (_, text) => {
    expect(toMarkdown(text).html.length).toBeGreaterThan(0)
  })
})
