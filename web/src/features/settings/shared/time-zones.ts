/** The browser's list, which the server validates against, too. */
export const timeZones = (): string[] => [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]),
]
