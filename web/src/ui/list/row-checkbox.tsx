import classes from './list.module.css'

interface RowCheckboxProps {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

/** Looks like Mantine's checkbox, which has five elements and would slow down scrolling. */
export const RowCheckbox = ({ label, checked, onChange }: RowCheckboxProps) => (
  <input
    type="checkbox"
    className={classes.checkbox}
    aria-label={label}
    checked={checked}
    onChange={({ currentTarget }) => onChange(currentTarget.checked)}
  />
)
