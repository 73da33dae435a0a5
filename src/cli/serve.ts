import type { Command } from 'commander'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { openStorage } from '../db/open.ts'
import { OperatorError } from '../errors.ts'
import { prepareStorage, type Welcome } from '../features/setup/first-start.ts'

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('start the service (settings come from the environment: see docs/operating.md)')
    .action(serve)
}

async function serve(): Promise<void> {
  const config = readConfig()
  const storage = await openStorage(config)
  const welcome = await prepareStorage(storage.db, config.firstStart)
  const app = buildApp({ storage, config })
  app.addHook('onClose', () => storage.close())
  try {
    const url = await app.listen({ host: config.host, port: config.port })
    say(url, welcome)
  } catch (error) {
    await app.close()
    throw toOperatorError(error as NodeJS.ErrnoException, config)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      app.log.info(`${signal}: finishing what runs`)
      void app.close().then(() => process.exit(0))
    })
  }
}

function toOperatorError(
  error: NodeJS.ErrnoException,
  { host, port }: { host: string; port: number },
): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is taken. Stop what listens there, or set HEDGEROW_PORT.`,
    EACCES: `This user may not listen on port ${port}. Choose one above 1023 with HEDGEROW_PORT.`,
    EADDRNOTAVAIL: `This machine has no address ${host}. Set HEDGEROW_HOST to one it has, or 0.0.0.0.`,
  }
  const reason = reasons[error.code ?? '']
  return reason ? new OperatorError(reason) : error
}

function say(url: string, welcome: Welcome | undefined): void {
  const lines = [`Hedgerow is ready at ${url}`]
  if (welcome) {
    lines.push('', 'First start. These are shown only now:')
    lines.push(`  sign-in   ${welcome.email}`)
    lines.push(`  password  ${welcome.password ?? '(as set in HEDGEROW_OWNER_PASSWORD)'}`)
    lines.push(`  API key   ${welcome.apiKey ?? '(as set in HEDGEROW_API_KEY)'}`)
    lines.push(
      '',
      `Try it:  curl -H "Authorization: Bearer ${welcome.apiKey ?? '$HEDGEROW_API_KEY'}" ${url}/api/projects`,
    )
  }
  lines.push('', `API reference: ${url}/docs`)
  process.stdout.write(`${lines.join('\n')}\n`)
}
