import { type Client, CONFIGS } from './app.ts'

/** Creates a config and returns it. */
export async function createConfig(client: Client, body: object) {
  const answer = await client.post(CONFIGS, body)
  if (answer.status !== 201) throw new Error(`No config was made: ${answer.text}`)
  return answer.body
}
