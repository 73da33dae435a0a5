import { invalid } from '../errors.ts'

/** Trims a name and refuses an empty or too long one. */
export function requireName(attr: string, text: string, maxLength: number): string {
  const name = requireLength(attr, text, maxLength)
  if (name === '') throw invalid(attr, `The ${attr} may not be empty.`, 'blank')
  return name
}

export function requireLength(attr: string, text: string, maxLength: number): string {
  const trimmed = text.trim()
  if ([...trimmed].length <= maxLength) return trimmed
  throw invalid(attr, `The ${attr} may have at most ${maxLength} characters.`, 'max_length')
}
