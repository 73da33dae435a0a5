import { type Client, DASHBOARDS, type TestApp } from '../app/app.ts'

/** The path of a dashboard, or of something below it. */
export const pathOf = (id: number | string, rest = ''): string => `${DASHBOARDS}/${id}${rest}`

/** Creates a dashboard and returns it. */
export async function createDashboard(client: Client, body: unknown = {}) {
  const response = await client.post(DASHBOARDS, body)
  if (response.status !== 201) throw new Error(`No dashboard was created: ${response.text}`)
  return response.body
}

/** Ends the grace period of tokens that were replaced. */
export async function expireReplacedLinks({ db }: TestApp): Promise<void> {
  const expires_at = '2020-01-01T00:00:00.000Z'
  await db.updateTable('replaced_links').set({ expires_at }).execute()
}

export const textTile = (body: string, x = 0, y = 0) => ({
  text: { body },
  layouts: { sm: { x, y, w: 6, h: 5 } },
})

export const insightTile = (name: string, x = 0, y = 0) => ({
  insight: { name, query: { kind: 'TrendsQuery' } },
  layouts: { sm: { x, y, w: 6, h: 5 } },
})

/** Reads everything a client can see of the project's dashboards, to find out whether a request changed something. */
export async function readAll(client: Client) {
  const read = async (path: string) => (await client.get(path)).body
  const all = `${DASHBOARDS}?limit=1000`
  const pages = await Promise.all([read(all), read(`${all}&deleted=true`)])
  const ids = pages.flatMap(({ results }) => results.map(({ id }: { id: number }) => id))
  // without computing the tiles' results, which would change them
  const parts = ['?refresh=force_cache', '/activity', '/collaborators', '/sharing']
  const paths = ids.flatMap((id) => parts.map((part) => pathOf(id, part)))
  return { pages, dashboards: await Promise.all(paths.map(read)) }
}
