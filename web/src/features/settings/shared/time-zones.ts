/** As the browser knows them; the server checks by the same list. */
export const timeZones = (): string[] => [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]),
]
