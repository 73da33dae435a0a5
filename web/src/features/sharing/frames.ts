/** The websites that can show a page in a frame. */
export type Frames = 'any' | 'none' | 'some'

export const FRAMES: readonly { readonly value: Frames; readonly label: string }[] = [
  { value: 'any', label: 'Any website' },
  { value: 'some', label: 'These websites' },
  { value: 'none', label: 'No website' },
]

export function toFrames(origins: readonly string[] | null): Frames {
  if (origins === null) return 'any'
  return origins.length > 0 ? 'some' : 'none'
}

/** Reads one website a line. */
export const toOrigins = (frames: Frames, text: string): string[] | null =>
  frames === 'any'
    ? null
    : text.split('\n').filter((line) => frames === 'some' && line.trim() !== '')
