/** Invented people and companies. Names are combined, so a few words give thousands of them. */

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

const FIRST_NAMES = words(`
  Ada Amara Anya Asha Astrid Ben Bianca Bruno Carla Chidi Chloe Clara Dario Dev Diego Elena Elif Emma Esra Eva Farah
  Felix Fiona Gabriel Grace Hana Hugo Ines Ivan Jonas Joon Julia Kai Kenji Kira Lea Leon Lina Lucas Mara Marco Mei Mila
  Nadia Nils Noor Olga Omar Paula Petra Priya Rafael Ravi Rosa Sara Sofia Tariq Tomas Uma Vera Viktor Yara Zoe
`)
const LAST_NAMES = words(`
  Abel Adler Ashdown Bai Banerjee Becker Bello Berg Brook Calder Castle Costa Dale Diaz Ekwueme Ember Farrow Field
  Fontaine Garcia Grove Hale Hansen Heath Ibarra Isles Ito Janssen Juniper Kaya Kim Knoll Kowal Lake Lindqvist Marsh
  Mehta Moor Nakamura Nash Novak Okafor Olsen Park Quill Rao Reyes Rivers Rossi Sato Silva Sorensen Tanaka Thorne Vale
  Varga Vega Wells Winter Wood Yilmaz
`)
const COMPANY_NAMES = words(`
  Alderway Bluefinch Brightmoor Cedarline Copperleaf Dovetail Driftwood Eastlight Fernhill Foxglove Goldcrest Greywater
  Harborstone Hazelwick Ironbark Kestrel Larkspur Lighthouse Meadowlark Millbrook Northfold Oakridge Opalton Pinecone
  Quarrybank Redshank Riverbend Rosewater Saltmarsh Silverbirch Stonecrop Sunfield Tidewater Thornbury Umberly Vinehouse
  Westerly Whitethorn Wildrye Yarrow
`)
const COMPANY_KINDS = words('Studio Labs Works Health Logistics Foods Media Energy Finance Travel')

const pick = (list: readonly string[], number: number): string =>
  list[number % list.length] as string

/** Steps through all combinations before one repeats, because it shares no factor with their number. */
const STRIDE = 2417

/** Returns the name of a person by number. `round` counts the people who had the same name before. */
export function fullNameOf(seed: number, person: number) {
  const combinations = FIRST_NAMES.length * LAST_NAMES.length
  const place = ((seed >>> 0) + person * STRIDE) % combinations
  return {
    first: pick(FIRST_NAMES, place),
    last: pick(LAST_NAMES, Math.floor(place / FIRST_NAMES.length)),
    round: Math.floor(person / combinations),
  }
}

export const COMPANIES = COMPANY_NAMES.length * COMPANY_KINDS.length

/** Returns the name of a company by number, below `COMPANIES`. */
export const companyNameOf = (company: number): string => {
  const kind = pick(COMPANY_KINDS, company + Math.floor(company / COMPANY_NAMES.length))
  return `${pick(COMPANY_NAMES, company)} ${kind}`
}
