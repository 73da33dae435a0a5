/** Returns the values of a parameter that may be repeated, or be one JSON array as PostHog's clients send it. */
export function toValues(given: string | readonly string[]): readonly string[] {
  if (typeof given !== 'string') return given
  const list = given.startsWith('[') ? parseArray(given) : undefined
  return list ?? [given]
}

function parseArray(text: string): readonly string[] | undefined {
  try {
    return (JSON.parse(text) as unknown[]).map(String)
  } catch {
    return undefined // a value can begin with a bracket
  }
}
