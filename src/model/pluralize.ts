/** Formats a count with its noun: `1 event`, `1,200 events`. */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} ${count === 1 ? one : many}`
