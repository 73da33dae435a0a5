import { openStorage } from '#server/db/open.ts'
import type { Db } from '#server/db/schema.ts'
import { now, randomText } from '#server/db/values.ts'
import { toLayoutColumns } from '#server/features/dashboards/tiles/store.ts'
import { prepareStorage } from '#server/features/setup/first-start.ts'

export const BENCH_KEY = 'phx_bench000000000000000000000000000000000000000'
const TILES = 6
/** SQLite takes 32,766 parameters per statement. */
const BATCH = 500

/** Creates storage with `dashboards` dashboards of six tiles, one of them a text: a data folder, or an empty database. */
export async function seed(
  dataFolder: string,
  dashboards: number,
  databaseUrl?: string,
): Promise<void> {
  const storage = await openStorage({ dataFolder, databaseUrl })
  const options = { apiKey: BENCH_KEY, email: 'bench@example.com', password: 'bench' }
  await prepareStorage(storage.db, options)
  for (let from = 1; from <= dashboards; from += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, dashboards - from + 1) }, (_, i) => from + i)
    await storage.db.transaction().execute((tx) => insertDashboards(tx, ids))
  }
  await storage.db.updateTable('projects').set({ live_dashboards: dashboards }).execute()
  await storage.close()
}

async function insertDashboards(db: Db, ids: readonly number[]): Promise<void> {
  const at = now()
  const dashboards = ids.map((id) => ({
    id,
    project_id: 1,
    name: `Dashboard ${id}`,
    name_key: `dashboard ${id}`,
    search_key: `dashboard ${id}\nweekly numbers\nteam`,
    description: 'Weekly numbers',
    pinned: 0 as const,
    deleted: 0 as const,
    is_shared: 0 as const,
    creation_mode: 'default' as const,
    use_template: '',
    filters: '{"date_from":"-30d"}',
    variables: '{}',
    tags: '["team"]',
    restriction_level: 21,
    created_by: 1,
    created_at: at,
  }))
  await db.insertInto('dashboards').values(dashboards).execute()
  const links = ids.map((id) => ({
    token: randomText(30),
    is_first: 1 as const,
    project_id: 1,
    dashboard_id: id,
    created_at: at,
  }))
  await db.insertInto('share_links').values(links).execute()
  await db
    .insertInto('texts')
    .values(ids.map((id) => toText(id, at)))
    .execute()
  const insights = ids.flatMap((id) => insightIds(id).map((insight) => toInsight(insight, at)))
  await db.insertInto('insights').values(insights).execute()
  await db.insertInto('tiles').values(ids.flatMap(toTiles)).execute()
}

const insightIds = (dashboard: number): number[] =>
  Array.from({ length: TILES - 1 }, (_, i) => (dashboard - 1) * (TILES - 1) + i + 1)

const toText = (id: number, at: string) => ({
  id,
  project_id: 1,
  body: '## What this shows\n\nThe numbers of the week.',
  created_by: 1,
  last_modified_at: at,
})

const toInsight = (id: number, at: string) => ({
  id,
  project_id: 1,
  short_id: id.toString(36).padStart(8, '0'),
  name: `Insight ${id}`,
  description: '',
  query: JSON.stringify({
    kind: 'InsightVizNode',
    source: {
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: '$pageview', name: '$pageview', math: 'dau' }],
      interval: 'day',
      dateRange: { date_from: '-30d' },
      trendsFilter: { display: 'ActionsLineGraph' },
    },
  }),
  tags: '[]',
  is_sample: 0 as const,
  deleted: 0 as const,
  created_by: 1,
  created_at: at,
  last_modified_by: 1,
  last_modified_at: at,
})

const toTiles = (dashboard: number) =>
  [null, ...insightIds(dashboard)].map((insight_id, index) => ({
    project_id: 1,
    dashboard_id: dashboard,
    insight_id,
    text_id: insight_id === null ? dashboard : null,
    ...toLayoutColumns({ sm: { x: (index % 2) * 6, y: Math.floor(index / 2) * 5, w: 6, h: 5 } }),
    color: 'blue',
    deleted: 0 as const,
  }))
