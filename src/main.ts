import { Command, CommanderError } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import { addServeCommand } from './cli/serve.ts'
import { OperatorError } from './errors.ts'

const FAILED = 1
const WRONG_USE = 2

export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('hedgerow')
    .description(packageJson.description)
    .version(packageJson.version)
    .exitOverride()
    .showHelpAfterError('(hedgerow help <command> shows what it takes)')
  addServeCommand(program)
  try {
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = report(error)
  }
}

/** What an operator can put right is one line; anything else is a bug and shows where it came from. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USE
  if (error instanceof OperatorError) process.stderr.write(`hedgerow: ${error.message}\n`)
  else process.stderr.write(`hedgerow: ${(error as Error).stack}\n`)
  return FAILED
}
