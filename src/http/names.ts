import { invalid } from '../errors.ts'

/** What people call things: trimmed, not empty, and short enough to show. */
export function requireName(attr: string, text: string, most: number): string {
  const name = requireLength(attr, text, most)
  if (name === '') throw invalid(attr, `The ${attr} may not be empty.`, 'blank')
  return name
}

export function requireLength(attr: string, text: string, most: number): string {
  const trimmed = text.trim()
  if ([...trimmed].length <= most) return trimmed
  throw invalid(attr, `The ${attr} may have at most ${most} characters.`, 'max_length')
}
