import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders whose tests wait for browsers and other processes. */
const SLOW = /\/test\/(browser|contract|cli|faults|apps|runtime)\//

const isSlow = ({ moduleId }: TestSpecification): boolean => SLOW.test(moduleId)

/**
 * Runs the projects in the order of the configuration, because a worker that changes to another project loads all
 * modules again, and the slow files of each first. Without recorded durations Vitest starts with the largest files, but
 * many of the slowest are small, and one worker kept running long after the others were done.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return this.ctx.projects.flatMap(({ name }) => {
      const own = sorted.filter(({ project }) => project.name === name)
      return [...own.filter(isSlow), ...own.filter((file) => !isSlow(file))]
    })
  }
}
