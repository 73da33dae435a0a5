export interface Offset {
  /** The second from which the offset applies. */
  readonly from: number
  /** The offset of local time from UTC. */
  readonly seconds: number
}

/** Lists a zone's UTC offsets between two moments: one entry, and one more for each change of the clocks. */
export function listOffsets(zone: string, from: number, to: number): Offset[] {
  const at = (seconds: number) =>
    Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(zone)
  const offsets: Offset[] = []
  let moment: Temporal.ZonedDateTime | null = at(from)
  while (moment && (offsets.length === 0 || moment.epochMilliseconds < to * 1000)) {
    offsets.push({
      from: Math.floor(moment.epochMilliseconds / 1000),
      seconds: moment.offsetNanoseconds / 1e9,
    })
    moment = moment.getTimeZoneTransition('next')
  }
  return offsets
}
