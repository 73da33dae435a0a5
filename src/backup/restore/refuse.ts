import { describeStorageProblem } from '#server/db/storage-problem.ts'
import { OperatorError } from '#server/errors.ts'

const MAX_CAUSE = 300

/** Throws in one sentence that a part of the archive cannot be restored. Storage that fails speaks for itself. */
export function refuse(error: unknown, part: string): never {
  if (error instanceof OperatorError || describeStorageProblem(error) !== undefined) throw error
  const [cause = ''] = (error as Error).message.split('\n', 1)
  throw new OperatorError(
    `Cannot restore ${part} of the backup: ${cause.slice(0, MAX_CAUSE)}. Nothing was changed.`,
  )
}
