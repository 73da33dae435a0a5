export const MIN_PASSWORD = 10
