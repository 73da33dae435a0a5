import type { Client } from '../app/app.ts'

export const INSIGHTS = 'insights'

/** The path of an insight, or of something below it. */
export const insightPath = (id: number | string, rest = ''): string => `${INSIGHTS}/${id}${rest}`

/** Creates an insight and returns it. */
export async function createInsight(client: Client, body: unknown = {}) {
  const response = await client.post(INSIGHTS, body)
  if (response.status !== 201) throw new Error(`No insight was created: ${response.text}`)
  return response.body
}
