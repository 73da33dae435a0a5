import { type Client, CONFIGS } from '../app/app.ts'

/** Creates a config and returns it. */
export async function createConfig(client: Client, body: object) {
  const response = await client.post(CONFIGS, body)
  if (response.status !== 201) throw new Error(`No config was created: ${response.text}`)
  return response.body
}
