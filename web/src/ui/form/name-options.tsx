import { CheckIcon, type ComboboxItem, type OptionsFilter, Pill } from '@mantine/core'
import type { ReactNode } from 'react'
import { VerifiedMark } from '../page/verified-mark.tsx'
import classes from './name-options.module.css'

/** An option for a name: `label` is what people read, `name` what is stored. */
interface NameOption extends ComboboxItem {
  readonly name: string
  readonly description?: string | undefined
  readonly isVerified?: boolean
}

const isName = (option: object): option is NameOption => 'name' in option

interface NameRow {
  readonly option: { readonly value: string; readonly label?: string }
  readonly checked?: boolean | undefined
}

/** Shows the stored name in dimmed text beside the label if they differ, and a description below. */
export const renderName = ({ option, checked }: NameRow): ReactNode => (
  <span className={classes.option}>
    {checked && <CheckIcon className={classes.check} size={12} aria-hidden />}
    <span>{option.label ?? option.value}</span>
    {isName(option) && option.name !== option.label && (
      // a screen reader needs the space, too
      <span className={classes.stored}> {option.name}</span>
    )}
    {isName(option) && option.isVerified && <VerifiedMark />}
    {isName(option) && option.description && (
      // not part of the option's name, which a screen reader would repeat at every step
      <span className={classes.description} aria-hidden>
        {option.description}
      </span>
    )}
  </span>
)

/** The list of options itself scrolls: a scroll area around it would have to take the focus from the text. */
export const scrollingList = {
  withScrollArea: false,
  styles: { options: { maxHeight: 320, overflowY: 'auto' } },
} as const

interface NamePillProps {
  readonly name: string
  readonly label: string
  readonly onRemove: (() => void) | undefined
}

/** A chosen name, with the stored name in sight. */
export const NamePill = ({ name, label, onRemove }: NamePillProps) => (
  <Pill withRemoveButton onRemove={onRemove}>
    {renderName({ option: toOption(name, label) })}
  </Pill>
)

const toOption = (name: string, label: string): NameOption => ({ value: name, name, label })

/** Finds names by their label and by what is stored. Limits each group on its own, so that the next one is in sight. */
export const filterNames: OptionsFilter = ({ options, search, limit }) => {
  const words = search.trim().toLowerCase()
  const matches = (option: ComboboxItem) =>
    [option.label, ...(isName(option) ? [option.name] : [])].some((text) =>
      text.toLowerCase().includes(words),
    )
  const alone = options.filter((option) => !('group' in option) && matches(option))
  const groups = options
    .filter((option) => 'group' in option)
    .map(({ group, items }) => ({ group, items: items.filter(matches).slice(0, limit) }))
  return [...alone.slice(0, limit), ...groups.filter(({ items }) => items.length > 0)]
}
