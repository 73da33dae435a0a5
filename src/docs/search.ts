import { marked, type Token, type Tokens } from 'marked'
import { toPlainText } from './markdown.ts'
import type { Page } from './pages.ts'
import { createSlugger } from './slugs.ts'

/** The part of a page from one heading to the next. */
interface Passage {
  readonly page: Page
  readonly heading: string
  readonly anchor: string
  readonly text: string
  /** Lowercase. */
  readonly words: { readonly title: string; readonly heading: string; readonly text: string }
}

export interface Hit {
  readonly page: Page
  readonly heading: string
  readonly anchor: string
  /** The text around the first word that was found, in pieces; every second piece is one of the words. */
  readonly excerpt: readonly string[]
}

const MAX_HITS = 30
const MAX_WORDS = 8
const EXCERPT_LENGTH = 200

export type Search = (query: string) => Hit[]

/** Finds the passages that contain all words of a query. Words in headings count more. */
export function createSearch(pages: readonly Page[]): Search {
  const passages = pages.flatMap(toPassages)
  return (query) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS)
    if (words.length === 0) return []
    return passages
      .map((passage) => ({ passage, score: toScore(passage, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, MAX_HITS)
      .map(({ passage: { page, heading, anchor, text } }) => ({
        page,
        heading,
        anchor,
        excerpt: toExcerpt(text, words),
      }))
  }
}

function toScore({ words }: Passage, terms: readonly string[]): number {
  let sum = 0
  for (const word of terms) {
    const score =
      (words.title.includes(word) ? 8 : 0) +
      (words.heading.includes(word) ? 20 : 0) +
      Math.min(words.text.split(word).length - 1, 5)
    if (score === 0) return 0
    sum += score
  }
  return sum
}

function toPassages(page: Page): Passage[] {
  const toAnchor = createSlugger()
  const passages: Passage[] = []
  let heading = page.title
  let anchor = ''
  let texts: string[] = []
  const add = () => {
    const text = texts.join(' ').replace(/\s+/g, ' ').trim()
    const words = { title: page.title, heading, text }
    passages.push({
      page,
      heading,
      anchor,
      text,
      words: {
        title: words.title.toLowerCase(),
        heading: words.heading.toLowerCase(),
        text: words.text.toLowerCase(),
      },
    })
    texts = []
  }
  for (const token of marked.lexer(page.markdown)) {
    if (token.type !== 'heading') texts.push(toText(token))
    else {
      if (texts.length > 0) add()
      heading = toPlainText(token.tokens ?? [])
      anchor = toAnchor(heading)
    }
  }
  add()
  return passages
}

function toText(token: Token): string {
  switch (token.type) {
    case 'table': {
      const { header, rows } = token as Tokens.Table
      return [header, ...rows]
        .flat()
        .map((cell) => toPlainText(cell.tokens))
        .join(' ')
    }
    case 'list':
      return (token as Tokens.List).items.map((item) => item.tokens.map(toText).join(' ')).join(' ')
    case 'code':
      return (token as Tokens.Code).text
    default:
      return 'tokens' in token && token.tokens ? toPlainText(token.tokens) : token.raw
  }
}

function toExcerpt(text: string, words: readonly string[]): string[] {
  const pattern = new RegExp(`(${words.map((word) => RegExp.escape(word)).join('|')})`, 'giu')
  const from = Math.max(0, text.search(pattern) - 60)
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1
  const end = start + EXCERPT_LENGTH
  const excerpt =
    end < text.length ? text.slice(start, text.lastIndexOf(' ', end)) : text.slice(start)
  return `${start > 0 ? '…' : ''}${excerpt}${end < text.length ? '…' : ''}`.split(pattern)
}
