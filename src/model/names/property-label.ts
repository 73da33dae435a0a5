import { toCustomLabel } from './event-label.ts'
import { PROPERTIES } from './properties.ts'

/** Libraries copy properties under these prefixes, with the value of another time. */
const COPIES = [
  ['$initial_', 'Initial', 'First value'],
  ['$session_entry_', 'Session entry', 'Value at the start of the session'],
] as const

/** Names that end in the name of something else. */
const PREFIXES = [
  ['$feature/', 'Feature flag', 'Value of this feature flag.'],
  [
    '$feature_enrollment/',
    'Early access',
    'Whether the person takes part in this early access feature.',
  ],
  ['$survey_responded/', 'Survey responded', 'Whether the person responded to this survey.'],
  ['$survey_dismissed/', 'Survey dismissed', 'Whether the person closed this survey.'],
  ['$survey_response_', 'Survey response', 'Response to this question of the survey.'],
  ['$sdk_debug_', 'Library debug', 'Helps to debug the client library.'],
] as const

interface Known {
  readonly label: string
  readonly description: string
}

function findKnown(name: string): Known | undefined {
  if (Object.hasOwn(PROPERTIES, name)) {
    const [label, description] = PROPERTIES[name] as readonly [string, string]
    return { label, description }
  }
  return findCopy(name) ?? findPrefixed(name)
}

/** `$initial_utm_source` is a copy of `utm_source`, `$initial_browser` one of `$browser`. */
function findCopy(name: string): Known | undefined {
  for (const [prefix, word, when] of COPIES) {
    if (!name.startsWith(prefix)) continue
    const rest = name.slice(prefix.length)
    const original = [rest, `$${rest}`].find((each) => Object.hasOwn(PROPERTIES, each))
    if (!original) return undefined
    const [label, description] = PROPERTIES[original] as readonly [string, string]
    return { label: `${word} ${toMiddle(label)}`, description: `${when}. ${description}` }
  }
  return undefined
}

/** Writes the first word in lower case, unless it is an abbreviation or a name of its own. */
const toMiddle = (label: string): string =>
  /^[A-Z][a-z]+\b/.test(label) && !OWN_NAMES.test(label)
    ? `${label[0]?.toLowerCase()}${label.slice(1)}`
    : label

const OWN_NAMES =
  /^(Facebook|Google|Microsoft|Mailchimp|Instagram|Reddit|Pinterest|Quora|Snapchat|Impact|Klaviyo|Bluetooth|Sentry)\b/

function findPrefixed(name: string): Known | undefined {
  for (const [prefix, word, description] of PREFIXES) {
    if (!name.startsWith(prefix) || name === prefix) continue
    return { label: `${word}: ${name.slice(prefix.length)}`, description }
  }
  return undefined
}

const TAKEN: ReadonlySet<string> = new Set(
  Object.values(PROPERTIES).flatMap(([label]) => [
    label,
    ...COPIES.map(([, word]) => `${word} ${toMiddle(label)}`),
  ]),
)

/** Returns the name of a property as it is shown: `$browser` is Browser. Other names stay as they are. */
export const toPropertyLabel = (name: string): string =>
  findKnown(name)?.label ?? (TAKEN.has(name) ? toCustomLabel(name) : name)

/** Returns undefined for a property that only the user knows. */
export const describeProperty = (name: string): string | undefined => findKnown(name)?.description
