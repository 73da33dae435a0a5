import { isCode, listFiles, readText } from './sources.ts'

/**
 * Finds wording that docs/glossary.md rules out: in comments, in sentences within code (strings and JSX) and in
 * documents. `npm run lint` runs it.
 */

/** A doc comment begins with a verb or the thing itself, not with a subordinate clause. */
const RIDDLE_START = /^(Of|What|Who|Whoever|Whom|That|As|Where|How)\b/
/** The comment of a function begins with its verb: "Tells whether". The comment of a field may begin with "Whether". */
const FRAGMENT_START = /^(Whether|Same)\b/
const FUNCTION = /^\s*(export )?(async )?(function\b|const \w+ = (async )?\(?[^=\n]*=>)/

const FORBIDDEN: readonly [RegExp, string][] = [
  [/\banew\b/i, 'again'],
  [/\bwho(m|)ever\b/i, 'name the person or the role'],
  [/\bis not over\b/i, 'current period, incomplete'],
  [/\bso many\b/i, 'say how many'],
  [/\bwent well\b/i, 'succeeded'],
  [/\bby (itself|themselves)\b/i, 'automatically, alone, on its own'],
  [/\bhas a say\b/i, 'has access'],
  [/\bsuch an?\b/i, 'name it'],
  [/\bnobody has\b/i, 'no one has'],
  [/\bwhat is asked\b/i, 'the query, the request'],
  [/\bremove(d|s)? for good\b/i, 'delete permanently'],
  [/\borganisation/i, 'organization'],
  [/\b(colour|behaviour|favourite|licence|centre)/i, 'American spelling'],
  [/\bcancell(ed|ing)\b/i, 'canceled, canceling'],
  [/\bgo(es)? on\b/i, 'continue'],
  [/\bfor ever\b/i, 'forever'],
  [/\bthose of the \w+ (that|who)\b/i, 'name them: the IDs that ...'],
]

/** Code and the wire's words, which are not checked. */
const WIRE = /`[^`\n]*`|'cancelled'|"cancelled"|\bis_cancelled\b/g

export interface Finding {
  readonly file: string
  readonly line: number
  readonly text: string
  readonly advice: string
}

const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:\w'"`])\/\/[^\n]*/g
const STRING = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g
const JSX_TEXT = />([^<>{}=;()]*[a-z][^<>{}=;()]*)</g

interface Piece {
  readonly at: number
  readonly text: string
  readonly isDoc: boolean
  readonly isOnFunction?: boolean
}

/** Cuts a source file into the pieces that people read: comments, strings with a space in them, JSX text. */
function cutPieces(file: string, source: string): Piece[] {
  if (!isCode(file)) return [{ at: 0, text: source.replace(WIRE, blank), isDoc: false }]
  const comments = [...source.matchAll(COMMENT)].map(({ index, 0: text }) => ({
    at: index,
    text: text.replace(WIRE, blank),
    isDoc: text.startsWith('/**'),
    isOnFunction: FUNCTION.test(source.slice(index + text.length)),
  }))
  const code = source.replace(COMMENT, blank)
  const strings = [...code.matchAll(STRING)].filter(({ 0: text }) => text.includes(' '))
  const texts = file.endsWith('.tsx') ? [...code.matchAll(JSX_TEXT)] : []
  const others = [...strings, ...texts].map(({ index, 0: text }) => ({
    at: index,
    text: text.replace(/`[^`\n]*`(?!$)|'cancelled'/g, blank),
    isDoc: false,
  }))
  return [...comments, ...others]
}

/** Keeps line breaks and length, so positions stay correct. */
const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

function problemsIn({ text, isDoc, isOnFunction, at }: Piece): { at: number; advice: string }[] {
  const words = text.replace(/^\/\*\*[\s*]*/, '')
  const isRiddle = RIDDLE_START.test(words) || (isOnFunction && FRAGMENT_START.test(words))
  const starts = isDoc && isRiddle ? [{ at, advice: 'begin with a verb or the thing itself' }] : []
  const phrases = FORBIDDEN.flatMap(([pattern, advice]) => {
    const found = pattern.exec(text)
    return found ? [{ at: at + found.index, advice }] : []
  })
  return [...starts, ...phrases]
}

const FOLDERS = ['src', 'web', 'apps', 'skeleton', 'test', 'bench', 'tools', 'docs', '*.md', '*.ts']

/** These files name the forbidden words. */
const EXEMPT = new Set(['tools/language.ts', 'docs/glossary.md', 'CHANGELOG.md'])

export function findForbidden(): Finding[] {
  const files = listFiles(...FOLDERS).filter(
    (file) => /\.(tsx?|md|html)$/.test(file) && !EXEMPT.has(file),
  )
  return files.flatMap((file) => {
    const source = readText(file)
    return cutPieces(file, source)
      .flatMap(problemsIn)
      .map(({ at, advice }) => {
        const line = source.slice(0, at).split('\n').length
        return { file, line, text: (source.split('\n')[line - 1] ?? '').trim(), advice }
      })
  })
}

if (import.meta.main) {
  const findings = findForbidden()
  for (const { file, line, text, advice } of findings) {
    console.log(`${file}:${line}: ${advice}\n    ${text.slice(0, 120)}`)
  }
  console.log(`${findings.length} forbidden phrases`)
  process.exitCode = findings.length > 0 ? 1 : 0
}
