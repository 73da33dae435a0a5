/** Numbers that may exceed 64 bits. In the texts of `toPropertiesText`, nothing is between a number and what precedes it. */
const MAYBE_LONG = /[:,[]-?\d{19}/
const LONG = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<=[:,[])(-\d{19,}|\d{20,})(?![\d.e])/g
const MAYBE_MARKED = /\d{19}e0/
const MARKED = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<=[:,[])(-?\d{19,})e0/g

/**
 * Gives whole numbers that exceed 64 bits an exponent. ClickHouse takes a document that contains one without for invalid,
 * and finds none of its properties.
 */
export const markLongNumbers = (json: string): string =>
  MAYBE_LONG.test(json)
    ? json.replace(LONG, (text, number) => (number ? `${number}e0` : text))
    : json

/** Returns the document as it was before `markLongNumbers`, because other stores return such numbers as they are written. */
export const unmarkLongNumbers = (json: string): string =>
  MAYBE_MARKED.test(json) ? json.replace(MARKED, (text, number) => number ?? text) : json
