/** The browser's list, which matches the server's validation. */
export const timeZones = (): string[] => [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]),
]
