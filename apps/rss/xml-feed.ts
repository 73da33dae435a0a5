import { readXml, type XmlElement } from '../shared/xml.ts'
import { type Feed, type FeedEntry, firstOf, MAX_ENTRIES, resolveLink } from './feed.ts'
import { toPlainText } from './html.ts'

const ENTRIES = ['item', 'entry']
const ROOTS = ['rss', 'feed', 'rdf:RDF', 'channel']

/** Reads RSS 0.9 to 2.0 and Atom. Returns undefined for a document that is no feed. */
export function readXmlFeed(text: string, url: string): Feed | undefined {
  const entries: FeedEntry[] = []
  let title = ''
  let isFeed = false
  readXml(text, (element, parents) => {
    const parent = parents.at(-1)
    if (!parent) isFeed ||= ROOTS.includes(element.name)
    if (ENTRIES.includes(element.name)) {
      const base = toBase([...parents, element], url)
      if (entries.length < MAX_ENTRIES) entries.push(toEntry(element, base))
      return true
    }
    if (
      element.name === 'title' &&
      parent &&
      (parent.name === 'channel' || parent.name === 'feed')
    ) {
      title ||= textOf(element)
    }
    return false
  })
  return isFeed ? { title, entries } : undefined
}

/** Applies `xml:base`, from the outside in. */
const toBase = (elements: readonly XmlElement[], url: string): string =>
  elements.reduce((base, { attributes }) => {
    const own = attributes.get('xml:base')
    return own === undefined ? base : (URL.parse(own, base)?.href ?? base)
  }, url)

function toEntry(entry: XmlElement, base: string): FeedEntry {
  const guid = find(entry, 'guid')
  const id = firstOf(text(entry, 'id'), guid && textOf(guid), entry.attributes.get('rdf:about'))
  const isPermalink = guid !== undefined && guid.attributes.get('isPermaLink') !== 'false'
  const link = firstOf(toHref(entry), isPermalink && /^https?:/.test(id) ? id : '')
  return {
    id,
    title: toPlainText(text(entry, 'title')),
    link: resolveLink(link, base),
    published: firstOf(
      ...['published', 'pubDate', 'issued', 'dc:date', 'dcterms:created', 'created'].map((name) =>
        text(entry, name),
      ),
      ...['updated', 'modified', 'dcterms:modified'].map((name) => text(entry, name)),
    ),
    author: toAuthor(entry),
    categories: entry.children
      .filter(({ name }) => name === 'category' || name === 'dc:subject')
      .map((one) => firstOf(one.attributes.get('label'), one.attributes.get('term'), textOf(one)))
      .filter((one) => one !== ''),
    summary: toPlainText(
      firstOf(
        ...['summary', 'description', 'content', 'content:encoded'].map((name) =>
          text(entry, name),
        ),
      ),
    ),
  }
}

/** RSS has the link as text; Atom has several, of which the alternate one leads to the entry. */
function toHref(entry: XmlElement): string {
  const links = entry.children.filter(({ name }) => name === 'link')
  const alternate = links.find(
    ({ attributes }) => (attributes.get('rel') ?? 'alternate') === 'alternate',
  )
  return firstOf(...links.map(textOf), alternate?.attributes.get('href'))
}

/** RSS has `mail@example.com (Name)`, or the name only. */
function toAuthor(entry: XmlElement): string {
  const author = find(entry, 'author')
  const named = author && find(author, 'name')
  const written = firstOf(
    named && textOf(named),
    text(entry, 'dc:creator'),
    author && textOf(author),
  )
  return /^\S+@\S+ \(([^()]+)\)$/.exec(written)?.[1] ?? written
}

const find = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((child) => child.name === name)

function text(element: XmlElement, name: string): string {
  const found = find(element, name)
  return found ? textOf(found) : ''
}

/** Includes the text of elements inside, such as the XHTML of Atom. */
const textOf = (element: XmlElement): string =>
  [element.text, ...element.children.map(textOf)].join(' ').trim()
