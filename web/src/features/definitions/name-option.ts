import { describeEvent } from '#model/names/describe-event.ts'
import { toEventLabel } from '#model/names/event-label.ts'
import { describeProperty, toPropertyLabel } from '#model/names/property-label.ts'

/** The description and mark of a name; absent if the list of names does not have it. */
type Written = { readonly description?: string; readonly verified?: boolean } | undefined

/** An event to choose. The words of the team come before ours. */
export const toEventOption = (name: string, written?: Written) => ({
  value: name,
  name,
  label: toEventLabel(name),
  description: written?.description || describeEvent(name),
  isVerified: written?.verified ?? false,
})

/** A property to choose. The words of the team come before ours. */
export const toPropertyOption = (name: string, written?: Written) => ({
  value: name,
  name,
  label: toPropertyLabel(name),
  description: written?.description || describeProperty(name),
  isVerified: written?.verified ?? false,
})
