import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { TestApp } from './app.ts'
import { OWNER } from './owner.ts'

/** `legacy` begins with `initialize`; `auto` uses the stateless revision if the server has it. */
export type Negotiation = 'legacy' | 'auto'

export interface ConnectOptions {
  readonly mode?: Negotiation
  readonly headers?: Readonly<Record<string, string>>
}

/** Connects the official client of the Model Context Protocol, with a key, to the test's project. */
export async function connectMcp(
  api: TestApp,
  key: string = OWNER.apiKey,
  { mode = 'legacy', headers }: ConnectOptions = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode }, defaultCacheTtlMs: 0 },
  )
  const transport = new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`), {
    requestInit: {
      headers: {
        authorization: `Bearer ${key}`,
        'x-posthog-project-id': String(api.projectId),
        ...headers,
      },
    },
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

export interface CalledTool {
  readonly isError: boolean
  /** The JSON of the first text, or the text itself. */
  // biome-ignore lint/suspicious/noExplicitAny: the test knows the type of the result
  readonly value: any
  /** All texts. */
  readonly texts: readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: the test knows the type of the content
  readonly content: readonly any[]
}

/** Calls a tool. */
export async function callTool(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<CalledTool> {
  const { content, isError = false } = await client.callTool({ name, arguments: { ...args } })
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return { isError, value: parse(texts[0]), texts, content }
}

function parse(text = ''): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Lists the names of the tools that a key can call. */
export async function listToolNames(client: Client): Promise<string[]> {
  const { tools } = await client.listTools()
  return tools.map(({ name }) => name)
}
