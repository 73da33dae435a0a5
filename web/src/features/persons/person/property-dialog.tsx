import { Input, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { UseMutationResult } from '@tanstack/react-query'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import type { PropertyChange } from '../api.ts'
import { parseValue, toTypedText, VALUE_TYPES, type ValueType } from './property-value.ts'

/** The mutation that sets or deletes one property. */
export type ChangeProperty = UseMutationResult<unknown, Error, PropertyChange>

interface PropertyDialogProps {
  readonly properties: Readonly<Record<string, unknown>>
  readonly change: ChangeProperty
  /** undefined to add a property. */
  readonly name: string | undefined
  /** Receives the name of the saved property. */
  readonly onSaved: (name: string) => void
  readonly onClose: () => void
}

export function PropertyDialog(props: PropertyDialogProps) {
  const { properties, change, name, onSaved, onClose } = props
  const form = useForm({
    initialValues: { key: name ?? '', ...toTypedText(name ? properties[name] : '') },
    validate: {
      key: (key) =>
        name === undefined && Object.hasOwn(properties, key.trim())
          ? 'This property exists. Edit it instead.'
          : null,
      text: (_, values) => {
        const parsed = parseValue(values)
        return 'problem' in parsed ? parsed.problem : null
      },
    },
  })
  const save = form.onSubmit((values) => {
    const parsed = parseValue(values)
    if ('problem' in parsed) return
    const key = name ?? values.key.trim()
    change.mutate(
      { key, value: parsed.value },
      {
        onSuccess: () => onSaved(key),
      },
    )
  })
  const setType = (type: string) => {
    const isSwitch = type === 'Yes or no'
    const text = isSwitch ? 'true' : form.values.type === 'Yes or no' ? '' : form.values.text
    form.setValues({ type: type as ValueType, text })
    form.clearErrors()
  }
  return (
    <FormDialog
      title={name === undefined ? 'Add property' : 'Edit property'}
      yes={name === undefined ? 'Add property' : 'Save'}
      saving={change}
      form={form}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        required
        maxLength={400}
        disabled={name !== undefined}
        data-autofocus={name === undefined || undefined}
        {...form.getInputProps('key')}
      />
      <Input.Wrapper label="Type" labelElement="div">
        <SegmentedControl
          aria-label="Type"
          fullWidth
          data={[...VALUE_TYPES]}
          value={form.values.type}
          onChange={setType}
        />
      </Input.Wrapper>
      {form.values.type === 'Yes or no' ? (
        <Input.Wrapper label="Value" labelElement="div">
          <SegmentedControl
            aria-label="Value"
            data={[
              { value: 'true', label: 'Yes' },
              { value: 'false', label: 'No' },
            ]}
            display="flex"
            w="fit-content"
            {...form.getInputProps('text')}
          />
        </Input.Wrapper>
      ) : (
        <Textarea
          label="Value"
          autosize
          maxRows={12}
          data-autofocus={name !== undefined || undefined}
          {...form.getInputProps('text')}
        />
      )}
    </FormDialog>
  )
}
