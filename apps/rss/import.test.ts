import { describe, expect, it } from 'vitest'
import { createFakeApp, type FakeResponse } from '../../test/apps/fake-app.ts'
import { importFeed } from './import.ts'

const URL_OF_FEED = 'https://example.com/blog/feed.xml'

/** Runs the app on what the server sends. */
function start(body: FakeResponse['body'], more: FakeResponse = {}, config: object = {}) {
  const response: FakeResponse = { headers: { 'content-type': 'application/xml' }, body, ...more }
  const server = { respond: (_headers: Readonly<Record<string, string>>) => response }
  const fake = createFakeApp({
    config: { url: URL_OF_FEED, ...config },
    respond: (_url, headers) => server.respond(headers),
  })
  return { ...fake, server, run: () => importFeed(fake.app) }
}

const rss = (items: string, head = '<title>News</title>') =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>${head}${items}</channel></rss>`

const properties = (fake: ReturnType<typeof start>) => fake.events().map((one) => one.properties)

describe('a feed', () => {
  it('of RSS 2.0 becomes events with their author, link, categories and summary', async () => {
    const fake = start(
      rss(`<item>
        <guid isPermaLink="false">post-1</guid><title>One &amp; two</title><link>posts/1?a=1&amp;b=2</link>
        <pubDate>Wed, 01 Jan 2025 10:00:00 +0100</pubDate><author>ada@example.com (Ada)</author>
        <category>news</category><category>tools</category>
        <description><![CDATA[<p>Fish &amp; chips<br>today</p>]]></description></item>`),
    )

    await fake.run()

    expect(fake.events()).toEqual([
      {
        event: 'feed entry',
        uuid: expect.any(String),
        distinct_id: 'Ada',
        timestamp: '2025-01-01T09:00:00.000Z',
        properties: {
          feed: 'News',
          title: 'One & two',
          link: 'https://example.com/blog/posts/1?a=1&b=2',
          author: 'Ada',
          categories: ['news', 'tools'],
          summary: 'Fish & chips today',
        },
      },
    ])
  })

  it('of Atom is read by its namespaces, whatever their prefixes', async () => {
    const fake =
      start(`<a:feed xmlns:a="http://www.w3.org/2005/Atom" xmlns:t="urn:thing" xml:base="https://cdn.example.com/x/">
      <a:title>Log</a:title>
      <a:entry xml:base="y/"><a:id>tag:1</a:id><t:title>wrong</t:title><a:title>Right</a:title>
        <a:link rel="self" href="self"/><a:link href="post"/><a:updated>2025-01-02T00:00:00Z</a:updated>
        <a:author><a:name>Bo</a:name></a:author><a:category term="c1"/>
        <a:content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Hi <b>you</b></div></a:content>
      </a:entry></a:feed>`)

    await fake.run()

    expect(fake.events()).toMatchObject([
      {
        distinct_id: 'Bo',
        timestamp: '2025-01-02T00:00:00.000Z',
        properties: {
          ...{ feed: 'Log', title: 'Right', link: 'https://cdn.example.com/x/y/post' },
          ...{ categories: ['c1'], summary: expect.stringContaining('you') },
        },
      },
    ])
  })

  it('of RSS 1.0 has its items beside the channel', async () => {
    const fake =
      start(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:d="http://purl.org/dc/elements/1.1/">
      <channel><title>Old</title></channel>
      <item rdf:about="urn:1"><title>A</title><link>/a</link><d:date>2025-01</d:date><d:creator>Cy</d:creator></item></rdf:RDF>`)

    await fake.run()

    expect(fake.events()).toMatchObject([
      {
        distinct_id: 'Cy',
        timestamp: '2025-01-01T00:00:00.000Z',
        properties: { feed: 'Old', title: 'A', link: 'https://example.com/a' },
      },
    ])
  })

  it('of JSON is read too', async () => {
    const feed = {
      version: 'https://jsonfeed.org/version/1.1',
      title: 'J',
      items: [
        {
          id: 7,
          url: '/7',
          content_html: '<b>Hi</b>',
          date_published: '2025-01-03T00:00:00Z',
          tags: ['x'],
        },
        { id: 8, external_url: 'javascript:alert(1)', authors: [{ name: 'Di' }] },
        'junk',
      ],
    }
    const fake = start(JSON.stringify(feed))

    await fake.run()

    expect(fake.events()).toMatchObject([
      {
        distinct_id: 'J',
        properties: { link: 'https://example.com/7', summary: 'Hi', categories: ['x'] },
      },
      { distinct_id: 'Di', properties: { link: '', categories: [] } },
    ])
  })

  it('that moves or corrects an entry imports it once, by its ID, its link or its content', async () => {
    const before =
      '<item><guid>g</guid><title>A</title></item><item><link>/l</link><title>B</title></item><item><title>C</title></item>'
    const fake = start(rss(before))
    await fake.run()
    const body = rss(
      before.replaceAll('A<', 'corrected<').replaceAll('B<', 'corrected<') +
        '<item><title>D</title></item>',
    )
    fake.server.respond = () => ({ body })

    await fake.run()

    expect(properties(fake).map(({ title }) => title)).toEqual(['A', 'B', 'C', 'D'])
  })

  it('that has not changed is not sent again, unless its address has', async () => {
    const headers = { etag: '"v1"', 'last-modified': 'Wed, 01 Jan 2025 10:00:00 GMT' }
    const fake = start(rss('<item><title>A</title></item>'), { headers })
    await fake.run()
    fake.server.respond = (sent) =>
      sent['if-none-match'] === '"v1"' ? { status: 304 } : { status: 400 }

    await fake.run()

    expect(fake.logs.at(-1)).toBe('The feed has not changed.')
    expect(fake.events()).toHaveLength(1)
    const other = {
      ...fake.app,
      meta: { ...fake.app.meta, config: { url: 'https://example.com/b' } },
    }
    await expect(importFeed(other)).rejects.toThrow('returned 400')
  })

  it('that redirects has links relative to where it is now', async () => {
    const fake = start(rss('<item><title>A</title><link>a</link></item>'), {
      redirectedTo: 'https://new.example.com/feeds/all',
    })

    await fake.run()

    expect(properties(fake)[0]).toMatchObject({ link: 'https://new.example.com/feeds/a' })
  })

  it('is read though it is sloppy', async () => {
    const fake = start(
      rss(
        '<item><title>Caf&eacute;&nbsp;&unknown; <b>&#x1F600;</title><br><link>/a?x=1&y=2</link></item><item><title>B',
      ),
    )

    await fake.run()

    expect(properties(fake)).toMatchObject([
      { title: 'Café &unknown; 😀', link: 'https://example.com/a?x=1&y=2' },
      { title: 'B' },
    ])
  })

  it.each([
    ['its declaration', '', '<?xml version="1.0" encoding="windows-1252"?>'],
    ['the response', '; charset=ISO-8859-1', '<?xml version="1.0"?>'],
  ])('may be in Latin characters, as %s says', async (_, charset, declaration) => {
    const text = `${declaration}<rss><channel><title>\xdcber \x80</title><item><title>A</title></item></channel></rss>`
    const fake = start(Buffer.from(text, 'latin1'), {
      headers: { 'content-type': `text/xml${charset}` },
    })

    await fake.run()

    expect(properties(fake)[0]).toMatchObject({ feed: 'Über €' })
  })

  it.each([
    [
      'a page with a feed',
      '<!DOCTYPE html><html><head><link rel="alternate" type="application/rss+xml" href="/f.xml"></head></html>',
      'is a page, not a feed. Its feed is https://example.com/f.xml.',
    ],
    ['a page', '<html><body>Hi</body></html>', 'is not a feed.'],
    ['other JSON', '{"items": []}', 'is not a feed.'],
    ['nothing', '', 'is not a feed.'],
    [
      'a bomb of entities',
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><rss><channel>&b;</channel></rss>',
      'defines entities of its own.',
    ],
    ['deep nesting', `<rss>${'<a>'.repeat(300)}`, 'is nested more than 200 levels deep.'],
    ['endless elements', `<rss>${'<a/>'.repeat(30_000)}`, 'has more than 20000 elements.'],
    ['a tag that does not end', '<rss><channel', 'ends too early.'],
    ['a comment that does not end', '<rss><!-- ', 'ends too early.'],
    [
      'another encoding',
      '<?xml version="1.0" encoding="Shift_JIS"?><rss/>',
      'has the encoding Shift_JIS, which is not supported.',
    ],
  ])('that is %s is refused with the reason', async (_, body, reason) => {
    const fake = start(body)

    await expect(fake.run()).rejects.toThrow(`${URL_OF_FEED} ${reason}`)
    expect(fake.events()).toEqual([])
  })

  it('that is too large is refused before it is read', async () => {
    let sent = 0
    const endless = async function* () {
      for (; ; sent += 1) yield Buffer.alloc(1024 * 1024)
    }

    await expect(start(endless()).run()).rejects.toThrow('is larger than 10485760 bytes.')
    expect(sent).toBe(10)
  })

  it('with more entries than are held at a time is read', async () => {
    const items = Array.from(
      { length: 9000 },
      (_, n) => `<item><guid>${n}</guid><title>${n}</title></item>`,
    )
    const fake = start(rss(items.join('')))

    await fake.run()

    expect(fake.events()).toHaveLength(9000)
  })

  it.each([
    [{ url: 'feed' }, 'The "Feed" is not a URL: "feed".'],
    [{ event: 'x'.repeat(201) }, 'The "Event name" is empty or too long.'],
  ])('with the settings %j is refused', async (config, message) => {
    await expect(start('', {}, config).run()).rejects.toThrow(message)
  })
})
