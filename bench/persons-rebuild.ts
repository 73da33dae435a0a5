/** Derives all persons of the event store in the folder of its first argument again, and prints what it took. */
import { catchUpPersons, forgetPersons } from '#server/analytics/duckdb/catch-up-persons.ts'
import { openEventsFile } from '#server/analytics/duckdb/file.ts'

export interface Rebuild {
  readonly seconds: number
  readonly megabytes: number
}

const { changes, close } = await openEventsFile(process.argv[2] as string, {
  id: 'bench',
  has_events: 1,
})
const startedAt = performance.now()
await forgetPersons(changes)
await catchUpPersons(changes, (done, total) => {
  if (done % 2_000_000 === 0) {
    process.stderr.write(`derived the persons of ${done} of ${total} events\n`)
  }
})
const rebuild: Rebuild = {
  seconds: (performance.now() - startedAt) / 1000,
  megabytes: process.resourceUsage().maxRSS / 1024,
}
await close()
process.stdout.write(JSON.stringify(rebuild))
