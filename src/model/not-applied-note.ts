/** Names the filters of a dashboard that do not affect the result of a tile. */
export function notAppliedNote(keys: readonly string[]): string | undefined {
  const dates = keys.includes('date_to')
    ? 'dates'
    : keys.includes('date_from')
      ? 'start date'
      : undefined
  const others = keys.some((key) => !key.startsWith('date_')) ? 'filters' : undefined
  const names = [dates, others].filter((name) => name !== undefined)
  return names.length > 0 ? `Dashboard ${names.join(' and ')} not applied` : undefined
}
