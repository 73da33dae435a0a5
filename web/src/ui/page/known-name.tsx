import { toEventLabel } from '#model/names/event-label.ts'
import { toPropertyLabel } from '#model/names/property-label.ts'

interface NameProps {
  readonly name: string
  readonly maxLength?: number
}

/** The name of an event as people read it. The tooltip has the stored name. */
export const EventName = ({ name, maxLength }: NameProps) => (
  <Labeled name={name} label={toEventLabel(name)} maxLength={maxLength} />
)

/** The name of a property as people read it. The tooltip has the stored name. */
export const PropertyName = ({ name, maxLength }: NameProps) => (
  <Labeled name={name} label={toPropertyLabel(name)} maxLength={maxLength} />
)

function Labeled({
  name,
  label,
  maxLength = Number.POSITIVE_INFINITY,
}: {
  readonly name: string
  readonly label: string
  readonly maxLength: number | undefined
}) {
  const isCut = label.length > maxLength
  return (
    <span title={isCut || label !== name ? name : undefined}>
      {isCut ? `${label.slice(0, maxLength - 1)}…` : label}
    </span>
  )
}
