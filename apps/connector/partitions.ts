import type { Partition } from './connector.ts'
import type { Above } from './fill.ts'

/** Yields what is above a stream once for each combination of the values of its partitions. */
export function* toPartitions(
  [first, ...rest]: readonly Partition[],
  above: Above,
  setting: (key: string) => string,
): Generator<Above> {
  if (!first) return yield above
  for (const value of listValues(first, setting)) {
    const partition = { ...(above.partition as object | undefined), [first.name]: value }
    yield* toPartitions(rest, { ...above, partition }, setting)
  }
}

const listValues = ({ values, setting: key }: Partition, setting: (key: string) => string) =>
  values ??
  setting(key as string)
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
