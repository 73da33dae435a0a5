import { MAX_INSIGHT_NAME } from '../tiles/schema.ts'

const COPY = ' (Copy)'

/** By characters: half a surrogate pair cannot be stored. */
export const toCopyName = (name: string): string =>
  name && [...name].slice(0, MAX_INSIGHT_NAME - COPY.length).join('') + COPY
