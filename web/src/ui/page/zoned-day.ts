import dayjs, { type Dayjs } from 'dayjs'
import utc from 'dayjs/plugin/utc'
import { toWallClock } from './zone.ts'

dayjs.extend(utc)

/** Returns a moment that formats and compares as on a clock in the zone. */
export const toZonedDay = (time: string | number | Date, zone: string | undefined): Dayjs =>
  dayjs.utc(toWallClock(time, zone))
