/** The heights of a list's rows, in pixels with the lower margin. */
export interface RowHeights {
  /** The list's width for which they hold, in pixels. */
  readonly width: number;
  readonly byId: ReadonlyMap<string, number>;
  /** Of all other rows, until they are measured. */
  readonly assumed: number;
}

/** Rows with two lines. It counts until the first rows are measured. */
const nothingKnown: RowHeights = { width: 0, byId: new Map(), assumed: 60 };

const kept = new Map<string, RowHeights>();

/** What was kept of a list. It has its length at once if it is shown again, so *Back* finds the same place in it. */
export const keptHeights = (name: string): RowHeights => kept.get(name) ?? nothingKnown;

export const keepHeights = (name: string, heights: RowHeights): void => void kept.set(name, heights);

export const heightOf = (row: HTMLElement): number =>
  row.offsetHeight + Number.parseFloat(getComputedStyle(row).marginBlockEnd);

/** The heights of some rows. The others are assumed to be as high on average. */
export function heightsOf(rows: ReadonlyMap<string, HTMLElement>, width: number): RowHeights {
  const byId = new Map([...rows].map(([id, row]) => [id, heightOf(row)]));
  const sum = [...byId.values()].reduce((total, height) => total + height, 0);
  return { width, byId, assumed: byId.size === 0 ? nothingKnown.assumed : Math.round(sum / byId.size) };
}
