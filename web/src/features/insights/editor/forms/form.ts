/** A form holds nothing of its own: what is edited is the query. */
export interface FormProps<S> {
  readonly source: S
  readonly onChange: (source: S) => void
}
