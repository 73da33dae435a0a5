/** Needs no quotes in YAML, and is no other value than text. */
const PLAIN = /^[A-Za-z_/][\w/.-]*$/
const NOT_TEXT = /^(true|false|null|yes|no|on|off|y|n)$/i

/** Writes plain data as YAML. Other texts are quoted as in JSON, which YAML includes. */
export const toYaml = (value: object): string => `${lines(value).join('\n')}\n`

function lines(value: object): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      const [first = '', ...rest] = isNested(item) ? lines(item) : [scalar(item)]
      return [`- ${first}`, ...rest.map((line) => `  ${line}`)]
    })
  }
  return Object.entries(value).flatMap(([key, inner]) => {
    if (inner === undefined) return []
    if (!isNested(inner)) return [`${scalar(key)}: ${scalar(inner)}`]
    return [`${scalar(key)}:`, ...lines(inner).map((line) => `  ${line}`)]
  })
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null

const scalar = (value: unknown): string =>
  typeof value === 'string' && PLAIN.test(value) && !NOT_TEXT.test(value)
    ? value
    : JSON.stringify(value)
