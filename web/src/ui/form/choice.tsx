import { Select, type SelectProps } from '@mantine/core'

export interface ChoiceProps<Value extends string = string>
  extends Omit<SelectProps, 'value' | 'onChange'> {
  readonly value?: Value | null
  readonly onChange?: (value: Value) => void
}

/** Selects exactly one of several values: the current one cannot be deselected. */
export const Choice = <Value extends string>({ onChange, ...props }: ChoiceProps<Value>) => (
  <Select
    allowDeselect={false}
    {...props}
    onChange={(value) => value !== null && onChange?.(value as Value)}
  />
)
