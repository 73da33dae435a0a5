import { Box, Button, type ButtonProps, Group, Modal, type ModalProps, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { FormError, type FormState } from './form-error.tsx'

interface FormProps {
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
  /** The mutation that `onSubmit` starts. */
  readonly saving?: { readonly isPending: boolean; readonly error: Error | null } | undefined
  /** An error about one of its fields is shown there. */
  readonly form?: FormState
  /** Label of the submit button. */
  readonly yes: string
  readonly yesProps?: ButtonProps & { readonly 'data-autofocus'?: boolean }
  readonly onCancel?: () => void
  /** Another button, at the other end of the line. */
  readonly extra?: ReactNode
  /** Form fields. */
  readonly children: ReactNode
}

/** A form with its error above and its buttons below the fields. */
export function Form({ onSubmit, saving, form, yes, ...props }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit(event)
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <FormError error={saving?.error ?? null} form={form} />
        {props.children}
        <Group justify="flex-end">
          {props.extra && <Box mr="auto">{props.extra}</Box>}
          {props.onCancel && (
            <Button variant="default" onClick={props.onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={saving?.isPending ?? false} {...props.yesProps}>
            {yes}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

export type FormDialogProps = Omit<FormProps, 'onCancel'> &
  Pick<ModalProps, 'size' | 'onClose'> & {
    readonly title: string
    readonly opened?: boolean
  }

/** A dialog that is one form, which can be canceled. */
export const FormDialog = ({
  title,
  size = 'md',
  opened = true,
  onClose,
  ...form
}: FormDialogProps) => (
  <Modal opened={opened} onClose={onClose} title={title} size={size}>
    <Form onCancel={onClose} {...form} />
  </Modal>
)
