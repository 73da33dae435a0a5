import { findFurthestAttempt, listSteps, readStepTime } from './attempts.ts'
import { castExactly } from './casts.ts'
import { joinTexts } from './scope.ts'
import { changeZone, extractPart, truncateTime } from './times.ts'
import { untranslatable } from './tree.ts'
import { type Piece, type Type, unite } from './types.ts'

type Translate = (args: readonly Piece[]) => Piece

const call =
  (name: string, type: Type): Translate =>
  (args) => ({ text: `${name}(${joinTexts(args)})`, type })

const write =
  (type: Type, toText: (...args: string[]) => string): Translate =>
  (args) => ({ text: toText(...args.map(({ text }) => text)), type })

/** Keeps the type of the first argument. */
const keep =
  (toText: (...args: string[]) => string): Translate =>
  (args) => ({ text: toText(...args.map(({ text }) => text)), type: (args[0] as Piece).type })

const arithmetic =
  (operator: string): Translate =>
  ([a, b]) => {
    const [left, right] = [a as Piece, b as Piece]
    const type =
      left.type === 'date' && right.type === 'date'
        ? 'integer'
        : arithmeticType(left.type, right.type)
    return { text: `(${left.text} ${operator} ${right.text})`, type }
  }

function arithmeticType(left: Type, right: Type): Type {
  if (left === 'date' && right === 'integer') return 'date'
  const type = unite([left, right])
  if (type === 'float' || type === 'huge' || type === 'integer') return type
  throw untranslatable(`Arithmetic of ${left} and ${right}`)
}

/** The text of a piece that is written out. */
function unquote({ text }: Piece): string {
  const [, inner] = /^'([a-z_]+|[-+*])'$/i.exec(text) ?? []
  if (inner === undefined) throw untranslatable(text)
  return inner
}

const minus: Translate = (args) =>
  args.length === 1 ? keep((x) => `(- ${x})`)(args) : arithmetic('-')(args)

/** Splitting takes no NULL. */
const splitPart = write(
  'text',
  (text, separator, n) =>
    `if(isNull(${text}), NULL, arrayElement(splitByString(${separator}, assumeNotNull(${text})), ${n}))`,
)

/** Skips NULL, as PostgreSQL and DuckDB do. */
const concat: Translate = (args) => ({
  text: `concat(${args.map(({ text }) => `ifNull(${text}, '')`).join(', ')})`,
  type: 'text',
})

/** A point matches no line break by default, and with the flag `s` any character. */
const matchRegularExpression =
  (isFull: boolean): Translate =>
  ([text, pattern, flags]) => {
    const modifier = flags && unquote(flags).includes('s') ? 's' : '-s'
    const [start, end] = isFull ? ['\\\\A', '\\\\z'] : ['', '']
    const expression = `concat('${start}(?${modifier}:', ${(pattern as Piece).text}, ')${end}')`
    return { text: `match(${(text as Piece).text}, ${expression})`, type: 'boolean' }
  }

const extreme =
  (name: string): Translate =>
  (args) => ({
    text: `${name}(${joinTexts(args)})`,
    type: unite(args.map(({ type }) => type)),
  })

/** Writes a property of a document in JSON as text; NULL when it is absent or null. */
export function toPropertyText(document: string, key: string): string {
  const type = `JSONType(${document}, ${key})`
  return `multiIf(${type} = 'Null', NULL, ${type} = 'String', JSONExtractString(${document}, ${key}), JSONExtractRaw(${document}, ${key}))`
}

export const FUNCTIONS: Readonly<Record<string, Translate>> = {
  '%': arithmetic('%'),
  '&': write('integer', (a, b) => `bitAnd(${a}, ${b})`),
  '|': write('integer', (a, b) => `bitOr(${a}, ${b})`),
  '<<': write('integer', (a, b) => `bitShiftLeft(${a}, greatest(${b}, 0))`), // an unused branch may shift by less
  '>>': write('integer', (a, b) => `bitShiftRight(${a}, ${b})`),
  '*': arithmetic('*'),
  '+': arithmetic('+'),
  '-': minus,
  '/': write('float', (a, b) => `(${a} / ${b})`),
  '//': write('integer', (a, b) => `intDiv(${a}, ${b})`),
  '||': write('text', (a, b) => `concat(${a}, ${b})`),
  '~~': write('boolean', (text, pattern) => `(${text} like ${pattern})`),
  like_escape: write('boolean', (text, pattern) => `(${text} like ${pattern})`), // ClickHouse always escapes with \
  abs: keep((x) => `abs(${x})`),
  bit_count: write('integer', (x) => `toInt64(bitCount(${x}))`),
  ceil: keep((x) => `ceil(${x})`),
  checked: ([operator, left, right]) => ({
    text: castExactly(
      `toInt128(${left?.text}) ${unquote(operator as Piece)} toInt128(${right?.text})`,
    ),
    type: 'integer',
  }),
  concat,
  contains: write('boolean', (text, part) => `(position(${text}, ${part}) > 0)`),
  date_part: ([part, time]) => extractPart(unquote(part as Piece), time as Piece),
  date_trunc: ([unit, time]) => truncateTime(unquote(unit as Piece), time as Piece),
  epoch_ms: write('integer', (time) => time),
  exp: call('exp', 'float'),
  furthest_attempt: ([steps, windowMs, ...places]) =>
    findFurthestAttempt(steps as Piece, windowMs as Piece, places),
  floor: keep((x) => `floor(${x})`),
  greatest: extreme('greatest'),
  least: extreme('least'),
  left: call('leftUTF8', 'text'),
  length: write('integer', (text) => `toInt64(lengthUTF8(${text}))`),
  listed_steps: ([ms, ...steps]) => listSteps(ms as Piece, steps),
  ln: call('log', 'float'),
  lower: call('lowerUTF8', 'text'),
  nullif: keep((a, b) => `nullIf(${a}, ${b})`),
  property_text: write('text', toPropertyText),
  regexp_full_match: matchRegularExpression(true),
  regexp_matches: matchRegularExpression(false),
  regexp_replace: call('replaceRegexpOne', 'text'),
  replace: call('replaceAll', 'text'),
  right: call('rightUTF8', 'text'),
  round: call('round', 'float'),
  sign: write('float', (x) => `toFloat64(sign(${x}))`),
  split_part: splitPart,
  sqrt: call('sqrt', 'float'),
  step_time: write('integer', readStepTime),
  starts_with: call('startsWith', 'boolean'),
  string_to_array: write('array', (text, separator) => `splitByString(${separator}, ${text})`),
  strpos: write('integer', (text, part) => `toInt64(positionUTF8(${text}, ${part}))`),
  substr: call('substringUTF8', 'text'),
  substring: call('substringUTF8', 'text'),
  timezone: ([zone, time]) => changeZone((zone as Piece).text, time as Piece),
  to_timestamp: write('time', (seconds) => `toInt64(floor(${seconds} * 1000))`),
  translate: call('translateUTF8', 'text'),
  trim: call('trimBoth', 'text'),
  trunc: keep((x) => `trunc(${x})`),
  unnest: write('text', (list) => `arrayJoin(${list})`),
}
