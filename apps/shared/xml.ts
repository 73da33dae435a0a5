import { decodeEntities } from './entities.ts'

export interface XmlElement {
  /** The prefix is the usual one of the namespace; the namespaces of feeds have none. */
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: XmlElement[]
  text: string
}

const MAX_DEPTH = 200
/** The limit on the elements that are held at a time, which bounds the memory. */
const MAX_ELEMENTS = 20_000

/** The prefixes by which elements are known here, whatever prefix a document gives their namespace. */
const PREFIXES: Readonly<Record<string, string>> = {
  'http://www.w3.org/2005/Atom': '',
  'http://purl.org/atom/ns#': '',
  'http://purl.org/rss/1.0/': '',
  'http://my.netscape.com/rdf/simple/0.9/': '',
  'http://backend.userland.com/rss2': '',
  'http://purl.org/dc/elements/1.1/': 'dc:',
  'http://purl.org/dc/terms/': 'dcterms:',
  'http://purl.org/rss/1.0/modules/content/': 'content:',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#': 'rdf:',
}
const FOREIGN = 'foreign:'
/** Elements of HTML that never end. */
const VOID = ['br', 'hr', 'img']

/** `a`, `a="b"`, `a='b'` or `a=b`. */
const ATTRIBUTE = /\s*([^\s=/>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y
const SPACES_AND_SLASHES = /[\s/]*/y

/**
 * Reads an XML document that may be sloppy, as feeds are. `onClose` gets each element when it ends; if it returns
 * true, the element is dropped. No entity that a document defines is known, since expanding them can fill the memory.
 */
export function readXml(
  text: string,
  onClose: (element: XmlElement, parents: readonly XmlElement[]) => boolean,
): void {
  const open: XmlElement[] = []
  const prefixes = new Map<string, string>()
  let count = 0
  let at = 0

  const close = () => {
    const element = open.pop() as XmlElement
    if (!onClose(element, open)) return
    open.at(-1)?.children.pop()
    count -= countElements(element)
  }

  while (at < text.length) {
    const start = text.indexOf('<', at)
    const content = text.slice(at, start < 0 ? text.length : start)
    const top = open.at(-1)
    if (top && content !== '') top.text += decodeEntities(content)
    if (start < 0) break
    const special = findSpecial(text, start)
    if (special) {
      if (top && special.data !== '') top.text += special.data
      at = special.end
    } else if (text[start + 1] === '/') {
      const end = endOf(text, '>', start)
      const name = toName(text.slice(start + 2, end - 1).trim(), prefixes)
      const index = open.findLastIndex((element) => element.name === name)
      while (index >= 0 && open.length > index) close()
      at = end
    } else {
      const tag = readTag(text, start, prefixes)
      count += 1
      if (count > MAX_ELEMENTS) throw new Error(`has more than ${MAX_ELEMENTS} elements`)
      if (open.length === MAX_DEPTH) throw new Error(`is nested more than ${MAX_DEPTH} levels deep`)
      top?.children.push(tag.element)
      open.push(tag.element)
      if (tag.isEmpty) close()
      at = tag.end
    }
  }
  while (open.length > 0) close()
}

const countElements = ({ children }: XmlElement): number =>
  children.reduce((sum, child) => sum + countElements(child), 1)

/** Reads what is not an element: a comment, a CDATA section, an instruction or the document type. */
function findSpecial(text: string, start: number): { end: number; data: string } | undefined {
  if (text.startsWith('<!--', start)) return { end: endOf(text, '-->', start), data: '' }
  if (text.startsWith('<![CDATA[', start)) {
    const end = endOf(text, ']]>', start)
    return { end, data: text.slice(start + 9, end - 3) }
  }
  if (text.startsWith('<?', start)) return { end: endOf(text, '?>', start), data: '' }
  if (!text.startsWith('<!', start)) return undefined
  const end = endOf(text, '>', start)
  if (text.slice(start, end).includes('[')) throw new Error('defines entities of its own')
  return { end, data: '' }
}

/** Returns the position behind the next occurrence of a part. */
function endOf(text: string, part: string, from: number): number {
  const found = text.indexOf(part, from)
  if (found < 0) throw new Error('ends too early')
  return found + part.length
}

function readTag(text: string, start: number, prefixes: Map<string, string>) {
  const rawName = /[^\s/>]*/y
  rawName.lastIndex = start + 1
  const [raw = ''] = rawName.exec(text) ?? []
  const attributes = new Map<string, string>()
  let at = start + 1 + raw.length
  while (true) {
    SPACES_AND_SLASHES.lastIndex = at
    const [gap = ''] = SPACES_AND_SLASHES.exec(text) ?? []
    at += gap.length
    if (at >= text.length) throw new Error('ends too early')
    if (text[at] === '>') {
      const element = { name: toName(raw, prefixes), attributes, children: [], text: '' }
      return { element, isEmpty: gap.endsWith('/') || VOID.includes(raw), end: at + 1 }
    }
    ATTRIBUTE.lastIndex = at
    const [all = '=', name = '', ...values] = ATTRIBUTE.exec(text) ?? []
    at += all.length
    const value = decodeEntities(values.find((one) => one !== undefined) ?? '')
    if (name === 'xmlns') prefixes.set('', value)
    else if (name.startsWith('xmlns:')) prefixes.set(name.slice(6), value)
    else if (name !== '') attributes.set(name, value)
  }
}

function toName(raw: string, prefixes: ReadonlyMap<string, string>): string {
  const colon = raw.indexOf(':')
  const prefix = colon < 0 ? '' : raw.slice(0, colon)
  const local = raw.slice(colon + 1)
  const namespace = prefixes.get(prefix)
  if (namespace === undefined) return raw
  if (Object.hasOwn(PREFIXES, namespace)) return `${PREFIXES[namespace]}${local}`
  // a feed may have a default namespace of its own making
  return prefix === '' ? local : `${FOREIGN}${local}`
}
