/** One color per status, wherever it is shown. */
export const STATUS_COLORS = {
  success: 'hedge',
  running: 'blue',
  warning: 'orange',
  error: 'red',
  neutral: 'gray',
} as const

export type Status = keyof typeof STATUS_COLORS
