import { isDeepStrictEqual } from 'node:util'
import { changeAccess } from '../../db/change.ts'
import type { Db, Tx } from '../../db/schema.ts'
import { now } from '../../db/values.ts'
import type { ConfigField, PublicJobs } from './schema.ts'

interface BuiltIn {
  readonly id: number
  readonly name: string
  readonly version: string
  readonly description: string
  readonly config: readonly ConfigField[]
  readonly publicJobs: PublicJobs
}

const text = (title: string) => ({ type: 'string' as const, title })

/** The apps that every installation has. Their ids never change. */
const BUILT_IN: readonly BuiltIn[] = [
  {
    id: 1,
    name: 'HTTP JSON',
    version: '1.0.0',
    description: 'Imports events from an HTTP address that answers with JSON or NDJSON.',
    config: [
      { key: 'url', name: 'Address', type: 'string', required: true, hint: 'Where to ask first.' },
      {
        key: 'headers',
        name: 'Headers',
        type: 'json',
        secret: true,
        hint: 'Sent with every request, such as {"Authorization": "Bearer ..."}.',
      },
      {
        key: 'format',
        name: 'Format',
        type: 'choice',
        choices: ['json', 'ndjson'],
        default: 'json',
      },
      {
        key: 'items',
        name: 'Path of the items',
        type: 'string',
        default: '',
        hint: 'Such as data.results; empty: the answer itself is the list.',
      },
      {
        key: 'paging',
        name: 'Paging',
        type: 'choice',
        choices: ['none', 'page', 'cursor', 'link'],
        default: 'none',
      },
      {
        key: 'paging_parameter',
        name: 'Paging parameter',
        type: 'string',
        required_if: [['paging', 'page']],
        hint: 'The query parameter that carries the page or cursor.',
      },
      {
        key: 'cursor_path',
        name: 'Path of the next cursor',
        type: 'string',
        required_if: [['paging', 'cursor']],
      },
      {
        key: 'id_field',
        name: 'Id field',
        type: 'string',
        default: 'id',
        hint: 'Items with the same id are imported once.',
      },
      { key: 'event', name: 'Event name or field', type: 'string', default: 'imported' },
      { key: 'distinct_id_field', name: 'Person field', type: 'string', default: 'distinct_id' },
      { key: 'timestamp_field', name: 'Time field', type: 'string', default: 'timestamp' },
    ],
    publicJobs: {
      'Import now': {
        payload: {
          from_start: { type: 'boolean', title: 'Forget the cursor and import everything again' },
          max_pages: { type: 'number', title: 'Stop after this many pages' },
        },
      },
    },
  },
  {
    id: 2,
    name: 'CSV',
    version: '1.0.0',
    description: 'Imports events from a CSV file, by address or attached, of any size.',
    config: [
      { key: 'url', name: 'Address', type: 'string', hint: 'Leave empty when a file is attached.' },
      { key: 'file', name: 'File', type: 'attachment' },
      {
        key: 'delimiter',
        name: 'Delimiter',
        type: 'choice',
        choices: ['auto', ',', ';', 'tab', '|'],
        default: 'auto',
      },
      { key: 'event', name: 'Event name or column', type: 'string', default: 'imported' },
      { key: 'distinct_id_column', name: 'Person column', type: 'string', default: 'distinct_id' },
      { key: 'timestamp_column', name: 'Time column', type: 'string', default: 'timestamp' },
    ],
    publicJobs: {
      'Import now': {
        payload: { url: text('Another address, for this run only') },
      },
    },
  },
  {
    id: 3,
    name: 'PostgreSQL table',
    version: '1.0.0',
    description: 'Imports the rows of a PostgreSQL table as events, new ones only.',
    config: [
      {
        key: 'connection',
        name: 'Connection URL',
        type: 'string',
        secret: true,
        required: true,
        hint: 'postgres://user:password@host/database',
      },
      { key: 'table', name: 'Table', type: 'string', required: true },
      {
        key: 'cursor_column',
        name: 'Cursor column',
        type: 'string',
        required: true,
        hint: 'Grows with every new row, such as id or updated_at.',
      },
      { key: 'batch_size', name: 'Rows per batch', type: 'string', default: '1000' },
      { key: 'event', name: 'Event name or column', type: 'string', default: 'imported' },
      { key: 'distinct_id_column', name: 'Person column', type: 'string', default: 'distinct_id' },
      { key: 'timestamp_column', name: 'Time column', type: 'string', default: 'timestamp' },
    ],
    publicJobs: {
      'Import now': {
        payload: {
          from_start: { type: 'boolean', title: 'Forget the cursor and import everything again' },
        },
      },
    },
  },
  {
    id: 4,
    name: 'Demo data',
    version: '1.0.0',
    description: "Makes a believable product's events over the last 90 days.",
    config: [
      { key: 'events', name: 'How many events', type: 'string', default: '10000' },
      {
        key: 'seed',
        name: 'Seed',
        type: 'string',
        default: 'hedgerow',
        hint: 'The same seed gives the same people and events.',
      },
    ],
    publicJobs: {
      'Generate events': {
        payload: {
          events: { type: 'number', title: 'How many events' },
          seed: text('Another seed, for this run only'),
        },
      },
    },
  },
]

/**
 * Brings the built-in apps' records to this version's. Called at every start; any number of servers may. Answers show
 * plugins, so a change of one outdates every cached answer, as a change of access does.
 */
export async function installBuiltInPlugins(db: Db): Promise<void> {
  const installed = await db.selectFrom('plugins').selectAll().where('built_in', '=', 1).execute()
  const known = new Map(installed.map((row) => [row.id, row]))
  const outdated = BUILT_IN.map(toRow).filter((row) => {
    const { created_at, updated_at, ...before } = known.get(row.id) ?? {}
    return !isDeepStrictEqual(before, row)
  })
  if (outdated.length === 0) return
  await changeAccess(db, async (tx) => {
    for (const row of outdated) await upsertPlugin(tx, row)
  })
}

const toRow = ({ id, name, version, description, config, publicJobs }: BuiltIn) => ({
  id,
  name,
  version,
  description,
  config_schema: JSON.stringify(config),
  public_jobs: JSON.stringify(publicJobs),
  capabilities: JSON.stringify({
    scheduled_tasks: ['runEveryHour'],
    jobs: Object.keys(publicJobs),
    methods: [],
  }),
  built_in: 1 as const,
})

async function upsertPlugin(tx: Tx, row: ReturnType<typeof toRow>): Promise<void> {
  const at = now()
  await tx
    .insertInto('plugins')
    .values({ ...row, created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...row, updated_at: at }))
    .execute()
}
