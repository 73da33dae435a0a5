const formats = new Map<string, Intl.DateTimeFormat>()

/** Formats a time as a clock in the zone shows it: `2026-03-01 13:00:00`. */
export function toZoneTime(time: Date, timeZone: string): string {
  // Sweden writes times so; one format for each zone, because creating one takes long
  const known = formats.get(timeZone)
  const format =
    known ?? new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  if (!known) formats.set(timeZone, format)
  return format.format(time)
}
