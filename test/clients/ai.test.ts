import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startCapturing } from '../support/data/capture.ts'
import { until } from '../support/until.ts'
import { PACKAGES, useClients } from './page.ts'

useClients()

const load = (path: string) => import(pathToFileURL(`${PACKAGES}/${path}`).href)

const USAGE = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 }
const COMPLETION = { id: 'c-1', created: 1, model: 'gpt-4o' }

/** A server with the part of OpenAI's API that the client uses. */
async function startModel(): Promise<string> {
  const server = createServer(async (request, response) => {
    const { stream } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    if (!stream) {
      const message = { role: 'assistant', content: 'Hello' }
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      response.setHeader('content-type', 'application/json')
      return response.end(
        JSON.stringify({ ...COMPLETION, object: 'chat.completion', choices, usage: USAGE }),
      )
    }
    response.setHeader('content-type', 'text/event-stream')
    const choices = [{ index: 0, delta: { role: 'assistant', content: 'Hello' } }]
    for (const part of [{ choices }, { choices: [], usage: USAGE }]) {
      const chunk = { ...COMPLETION, object: 'chat.completion.chunk', ...part }
      response.write(`data: ${JSON.stringify(chunk)}\n\n`)
    }
    return response.end('data: [DONE]\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('@posthog/ai', () => {
  it.each([false, true])('captures calls of a language model (stream: %s)', async (stream) => {
    const { url, token, stored } = await startCapturing()
    const { OpenAI } = await load('@posthog/ai/dist/openai/index.mjs')
    const { PostHog } = await load('posthog-node/dist/entrypoints/index.node.mjs')
    const posthog = new PostHog(token, { host: url })
    onTestFinished(() => posthog.shutdown())
    const client = new OpenAI({ apiKey: 'none', baseURL: await startModel(), posthog })

    const answer = await client.chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'Hi 😀' }],
      ...(stream && { stream, stream_options: { include_usage: true } }),
      posthogDistinctId: 'ada',
      posthogTraceId: 'trace-1',
      posthogProperties: { plan: 'pro' },
    })
    if (stream) for await (const _ of answer);
    await until(async () => {
      await posthog.flush()
      return (await stored()).length > 0
    })

    expect(await stored()).toMatchObject([
      {
        event: '$ai_generation',
        distinct_id: 'ada',
        properties: {
          $ai_model: 'gpt-4o',
          $ai_provider: 'openai',
          $ai_trace_id: 'trace-1',
          $ai_input: [{ role: 'user', content: 'Hi 😀' }],
          $ai_input_tokens: 11,
          $ai_output_tokens: 3,
          plan: 'pro',
        },
      },
    ])
  })
})
