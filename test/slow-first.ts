import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Where tests wait for browsers and other processes. */
const SLOW = /\/test\/(browser|contract|cli|faults|apps)\//

/**
 * A clean clone remembers no times, and Vitest then begins with the largest files. Many of the slowest are small: with
 * them at the end, one worker went on long after the others had nothing left to do.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const [slow, quick] = [true, false].map((isSlow) =>
      files.filter(({ moduleId }) => SLOW.test(moduleId) === isSlow),
    )
    return [...(await super.sort(slow ?? [])), ...(await super.sort(quick ?? []))]
  }
}
