import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders whose tests wait for browsers and other processes. */
const WAITING = /\/test\/(browser|cli|faults|apps|runtime)\//

/** Long files that never wait. */
const LONG = /\/test\/contract\//

/** Waiting files are spread over this part of the others, so that none is the last to end. */
const SPREAD = 0.7

/**
 * Runs the projects in the order of the configuration, because a worker that changes to another project loads all
 * modules again. Spreads the files that wait among those that do not, because the processors would be idle if all
 * workers waited at the same time.
 */
export class MixedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return this.ctx.projects.flatMap(({ name }) => {
      const own = sorted.filter(({ project }) => project.name === name)
      const isWaiting = ({ moduleId }: TestSpecification) => WAITING.test(moduleId)
      const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
      const busy = own.filter((file) => !isWaiting(file))
      const longFirst = [...busy.filter(isLong), ...busy.filter((file) => !isLong(file))]
      return spread(own.filter(isWaiting), longFirst)
    })
  }
}

/** Puts `few` among `many` at equal distances, beginning with one of `few`. */
function spread<T>(few: readonly T[], many: readonly T[]): T[] {
  const distance = (many.length * SPREAD) / few.length
  const placed = few.map((file, index) => ({ file, at: Math.floor(index * distance) }))
  const mixed = many.flatMap((file, at) => [
    ...placed.filter((one) => one.at === at).map((one) => one.file),
    file,
  ])
  return many.length > 0 ? mixed : [...few]
}
