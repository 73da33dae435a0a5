import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders whose tests wait for browsers and other processes. */
const SLOW = /\/test\/(browser|contract|cli|faults|apps)\//

/**
 * Runs slow files first. Without recorded durations Vitest starts with the largest files, but many of the slowest are
 * small, and one worker kept running long after the others were done.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const [slow, quick] = [true, false].map((isSlow) =>
      files.filter(({ moduleId }) => SLOW.test(moduleId) === isSlow),
    )
    return [...(await super.sort(slow ?? [])), ...(await super.sort(quick ?? []))]
  }
}
