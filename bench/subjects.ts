/** One table of the report. */
interface About {
  readonly title: string
  /** Tells how it is measured, in a sentence or two. */
  readonly how: string
  /** Names are `case: part`; the report shows the worst case of each part and folds the others. */
  readonly showsWorst?: true
}

const BARE =
  '"Bare" is a `node:http` server that sends the same bytes, headers included, under the same load in turns.'

/** The subjects of the report, in its order. */
export const SUBJECTS = {
  reads: {
    title: 'Reads',
    how: `10,000 dashboards of 6 tiles in SQLite; server and load on one core each. ${BARE} "Past the cache" sends \`Cache-Control: no-cache\`, so every response is read from the database.`,
  },
  writes: { title: 'Writes', how: `As reads, with \`synchronous=FULL\`. ${BARE}` },
  capture: {
    title: 'Capture',
    how: 'Batches of events and single events over HTTP against servers that only read or parse the bodies, and appends against the appender of DuckDB with the same durability; in turns.',
  },
  imports: {
    title: 'Imports',
    how: 'Import apps on a running server, from the request or the first event to the last.',
  },
  webhooks: {
    title: 'Webhooks',
    how: 'Requests of another service at a fixed rate. Each is verified and stored before the response; the server, its worker and the app share one core.',
  },
  queries: {
    title: 'Queries',
    how: 'Each query kind over 10 million events on the embedded store against the best SQL that we could write by hand for DuckDB, in turns, and dashboards of 12 tiles.',
  },
  persons: {
    title: 'Merged persons',
    how: '10 million events of a million distinct IDs, a fifth of them merged, against the same events without merges, in turns.',
  },
  web: { title: 'Web app', how: 'Chromium with an empty cache and 10,000 dashboards.' },
  footprint: {
    title: 'Footprint',
    how: 'Start and memory of a server with 10,000 dashboards, and what npm installs.',
  },
  peers: {
    title: 'Peers',
    how: 'Directus with SQLite and 1,000 equal dashboards, 8 connections, each server on one core in turns, and SQL written by hand for PostgreSQL. The same for DuckDB is under capture and queries.',
  },
  PostgreSQL: {
    title: 'PostgreSQL',
    how: '2 million events on PostgreSQL with its default settings against the same events in the embedded store, in turns.',
  },
  ClickHouse: {
    title: 'ClickHouse',
    how: 'Events in ClickHouse behind PostgreSQL against the embedded store or PostgreSQL alone, in turns.',
  },
  'several servers': {
    title: 'Several servers',
    how: 'One to three servers on one PostgreSQL database. Compare only figures of one run if the load average was above the number of cores.',
  },
  backup: { title: 'Backup', how: 'Memory of `hedgerow backup` with 10 million events.' },
  abuse: {
    title: 'Abuse',
    how: 'The load runs at the lowest priority, and a separate process requests `/_health` 50 times a second. A pause is the processor time that the main thread used between two ticks of a timer, without garbage collection. Growth is resident memory above that of the server at rest.',
    showsWorst: true,
  },
  'abuse on PostgreSQL': {
    title: 'Abuse on PostgreSQL',
    how: 'The same with PostgreSQL instead of the data folder.',
    showsWorst: true,
  },
} as const satisfies Record<string, About>

export type Subject = keyof typeof SUBJECTS
