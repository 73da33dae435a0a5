import { Button, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FormError } from '../../ui/form/form-error.tsx'

interface AccountFormProps<Values extends object, Result> {
  readonly form: UseFormReturnType<Values>
  readonly send: UseMutationResult<Result, Error, Values>
  readonly onDone: (result: Result) => void
  /** Label of the submit button. */
  readonly yes: ReactNode
  /** Title of an error that belongs to no field. */
  readonly problem?: string
  /** Form fields. */
  readonly children: ReactNode
}

/** A form that signs the user in. Errors appear at their field, or above the form. */
export function AccountForm<Values extends object, Result>(
  props: AccountFormProps<Values, Result>,
) {
  const { form, send, onDone } = props
  const submit = form.onSubmit((values) =>
    send.mutate(values, {
      onSuccess: onDone,
    }),
  )
  return (
    <form onSubmit={submit}>
      <Stack>
        <FormError error={send.error} form={form} title={props.problem} />
        {props.children}
        {/* keeps loading until the next page is there */}
        <Button type="submit" loading={send.isPending || send.isSuccess} fullWidth>
          {props.yes}
        </Button>
      </Stack>
    </form>
  )
}
