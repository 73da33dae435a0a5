import type { Run } from '#server/features/import-apps/runs/schema.ts'
import { toWallClock } from '../../../ui/page/zone.ts'

/** Matches the message of a run that waits for its next attempt. */
const RETRY = /^Retry (\d+) of (\d+) in \d+ s\. /
const ORDINALS = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth']

/** Names the moment of the next attempt, because a number of seconds is soon wrong. */
export function toWaitingText(
  { message, run_at }: Pick<Run, 'message' | 'run_at'>,
  zone: string | undefined,
): string {
  const [all, nth, times] = RETRY.exec(message) ?? []
  if (all === undefined || run_at === null) return message
  const which =
    times === '1' ? 'The only retry' : `${ORDINALS[Number(nth) - 1] ?? nth} of ${times} retries`
  const [hours, minutes] = [
    toWallClock(run_at, zone).getUTCHours(),
    toWallClock(run_at, zone).getUTCMinutes(),
  ].map((part) => `${part}`.padStart(2, '0'))
  return `${which} at ${hours}:${minutes}. ${message.slice(all.length)}`
}
