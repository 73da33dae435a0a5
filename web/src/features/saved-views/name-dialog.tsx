import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { type SavedView, useCreateView, usePatchView, type ViewPlace } from './api.ts'

interface NameDialogProps {
  readonly place: ViewPlace
  /** The filters shown now. */
  readonly filters: object
  /** Without an ID it is created, with these filters. */
  readonly view: Partial<SavedView>
  readonly onClose: () => void
}

/** Names a view. The menu of a dashboard is in its first load, and forms are not. */
export function NameDialog({
  place,
  filters,
  view: { id, name: before },
  onClose,
}: NameDialogProps) {
  const creating = useCreateView(place)
  const patching = usePatchView(place)
  const form = useForm({ initialValues: { name: before ?? '' } })
  const save = ({ name }: { readonly name: string }) =>
    id === undefined
      ? creating.mutate({ name, filters }, { onSuccess: onClose })
      : patching.mutate({ id, name }, { onSuccess: onClose })
  return (
    <FormDialog
      title={id === undefined ? 'Save this view' : 'Rename view'}
      yes={id === undefined ? 'Save view' : 'Rename'}
      saving={id === undefined ? creating : patching}
      form={form}
      onSubmit={form.onSubmit(save)}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Everyone in the project sees it."
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormDialog>
  )
}
