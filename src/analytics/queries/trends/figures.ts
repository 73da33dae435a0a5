/** What is shown of a line in a period. */
export interface LineData {
  readonly data: readonly number[]
  /** Of the whole period. */
  readonly total: number
}

export const sumOf = (data: readonly number[]): number =>
  data.reduce((sum, number) => sum + number, 0)

/** Also for people: somebody who comes on two days is added twice, as upstream does. */
export function cumulate(data: readonly number[]): number[] {
  let sum = 0
  return data.map((number) => {
    sum += number
    return sum
  })
}

/** The average of each interval and those before it; the first ones have fewer before them. */
export const smooth = (data: readonly number[], intervals: number): readonly number[] =>
  intervals === 1
    ? data
    : data.map((_, index) => {
        const last = data.slice(Math.max(0, index - intervals + 1), index + 1)
        return sumOf(last) / last.length
      })
