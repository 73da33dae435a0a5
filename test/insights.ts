import type { Client } from './app.ts'

export const INSIGHTS = '/api/environments/1/insights'

/** The address of an insight of project 1, or of something below it. */
export const insightPath = (id: number | string, rest = ''): string => `${INSIGHTS}/${id}${rest}`

/** Makes an insight in project 1 and returns it. */
export async function createInsight(client: Client, body: unknown = {}) {
  const answer = await client.post(INSIGHTS, body)
  if (answer.status !== 201) throw new Error(`No insight was made: ${answer.text}`)
  return answer.body
}
