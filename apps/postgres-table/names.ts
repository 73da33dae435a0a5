/** Escapes quotes, so that no name can end them. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
