/** The address of the server in documents. Pages show the address that their reader used instead. */
export const EXAMPLE_ORIGIN = 'http://127.0.0.1:8000'
