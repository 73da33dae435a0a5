import { CommanderError } from 'commander'
import { describeStorageProblem } from '../db/storage-problem.ts'
import { ApiError, OperatorError } from '../errors.ts'

const FAILED = 1
const USAGE_ERROR = 2

/** Prints the error and returns the exit code. Commander has already printed usage errors. */
export function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR
  process.stderr.write(`hedgerow: ${describe(error)}\n`)
  return FAILED
}

/** Prints one line for a problem that the operator can fix, and the stack of anything else, which is a bug. */
function describe(error: unknown): string {
  if (error instanceof OperatorError) return toLine(error.message)
  if (error instanceof ApiError) return toLine(error.message) + hint(error)
  return describeStorageProblem(error) ?? (error as Error).stack ?? String(error)
}

const toLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ')

const hint = ({ code, attr }: ApiError): string =>
  code === 'does_not_exist' ? ` See \`hedgerow ${attr} list\`.` : ''

/** Prints commander's message on one line. */
export function writeUsageError(text: string, write: (text: string) => void): void {
  const line = text
    .trim()
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replaceAll('\n', ' ')
  write(`hedgerow: ${line}. See --help.\n`)
}
