/** The start of an element and the text after it. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
}

const TOKEN = /<(\/?)([A-Za-z][\w:-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<>]+)/gy
const ENTITY = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids these characters
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

/** Parses all elements in order. Throws if the XML is not well-formed or has anything but elements and text. */
export function parseXml(xml: string): XmlElement[] {
  if (!xml.isWellFormed() || FORBIDDEN.test(xml)) throw new Error('A character XML cannot hold.')
  if (ENTITY.test(xml)) throw new Error(`A bare ampersand: ${ENTITY.exec(xml)?.index}`)
  const elements: { name: string; attributes: Record<string, string>; text: string }[] = []
  const open: string[] = []
  let at = 0
  for (const token of xml.matchAll(TOKEN)) {
    if (token.index !== at) break
    at += token[0].length
    const [, closes, name, attributes, empty, text] = token
    if (text !== undefined) {
      const last = elements.at(-1)
      if (last) last.text += text
    } else if (closes) {
      if (open.pop() !== name) throw new Error(`</${name}> closes nothing.`)
    } else {
      elements.push({ name: name as string, attributes: toAttributes(attributes ?? ''), text: '' })
      if (!empty) open.push(name as string)
    }
  }
  if (at !== xml.length) throw new Error(`Not XML: ${xml.slice(at, at + 80)}`)
  if (open.length > 0) throw new Error(`${open.join(', ')} not closed.`)
  return elements.map((element) => ({ ...element, text: element.text.trim() }))
}

function toAttributes(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value])
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) throw new Error(`Twice in ${text}`)
  return Object.fromEntries(pairs)
}
