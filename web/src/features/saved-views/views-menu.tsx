import { Box, Button, Menu, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconBookmark, IconCheck, IconDeviceFloppy, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { hasFilters } from '../../ui/list/search-params.ts'
import { LazyMenu } from '../../ui/page/lazy-menu.tsx'
import { useCreateView, useDeleteView, useSavedViews, type ViewPlace } from './api.ts'
import { isSameView } from './same-view.ts'

interface ViewsMenuProps {
  readonly place: ViewPlace
  /** The filters shown now. */
  readonly filters: object
  readonly canEdit?: boolean
  readonly size?: 'xs'
  readonly onShow: (filters: object) => void
}

/** Shows saved views, and saves what is shown now as another. */
export default function ViewsMenu({
  place,
  filters,
  canEdit = true,
  size,
  onShow,
}: ViewsMenuProps) {
  const [isSaving, setSaving] = useState(false)
  return (
    <>
      <LazyMenu
        width={240}
        button={
          <Button
            className="no-print"
            {...(size && { size })}
            variant="default"
            leftSection={<IconBookmark size={16} aria-hidden />}
          >
            Views
          </Button>
        }
      >
        {() => (
          <ViewItems
            place={place}
            filters={filters}
            canEdit={canEdit}
            onShow={onShow}
            onSave={() => setSaving(true)}
          />
        )}
      </LazyMenu>
      {isSaving && <SaveDialog place={place} filters={filters} onClose={() => setSaving(false)} />}
    </>
  )
}

interface ViewItemsProps extends Required<Omit<ViewsMenuProps, 'size'>> {
  readonly onSave: () => void
}

function ViewItems({ place, filters, canEdit, onShow, onSave }: ViewItemsProps) {
  const { data: views, error } = useSavedViews(place)
  const { mutate: remove } = useDeleteView(place)
  const current = views?.find((view) => isSameView(view.filters, filters))
  return (
    <>
      {views === undefined && <Menu.Label>{error ? error.message : 'Loading…'}</Menu.Label>}
      {views?.length === 0 && <Menu.Label>No saved views yet</Menu.Label>}
      {views?.map((view) => (
        <Menu.Item
          key={view.id}
          leftSection={view === current ? <IconCheck size={14} aria-label="Shown" /> : <Blank />}
          onClick={() => onShow(view.filters)}
        >
          {view.name}
        </Menu.Item>
      ))}
      {canEdit && <Menu.Divider />}
      {canEdit && !current && (
        <Menu.Item
          leftSection={<IconDeviceFloppy size={14} aria-hidden />}
          disabled={!hasFilters(filters)}
          onClick={onSave}
        >
          Save this view
        </Menu.Item>
      )}
      {canEdit && current && (
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={() => remove(current)}
        >
          Delete “{current.name}”
        </Menu.Item>
      )}
    </>
  )
}

/** Keeps the names in line. */
const Blank = () => <Box component="span" w={14} />

interface SaveDialogProps extends Pick<ViewsMenuProps, 'place' | 'filters'> {
  readonly onClose: () => void
}

function SaveDialog({ place, filters, onClose }: SaveDialogProps) {
  const saving = useCreateView(place)
  const form = useForm({ initialValues: { name: '' } })
  return (
    <FormDialog
      title="Save this view"
      yes="Save view"
      saving={saving}
      form={form}
      onSubmit={form.onSubmit(({ name }) =>
        saving.mutate({ name, filters }, { onSuccess: onClose }),
      )}
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
